# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""`abstract`, `zeros` and `init`: objects from sizes, with the keys of their paths."""

import inspect
import zlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import NamedSharding, PartitionSpec

from codegen.runtime.dims.make import dict_of, keys_of
from tests.shapes import impl

KEY = jax.random.key(7)


def keywords(method):
    """The keywords of a method, with their defaults."""
    return {
        name: None if p.default is p.empty else p.default
        for name, p in inspect.signature(method).parameters.items()
        if p.kind is p.KEYWORD_ONLY
    }


def at(key, *path):
    """The key of a path."""
    for step in path:
        data = step if isinstance(step, int) else zlib.crc32(step.encode())
        key = jax.random.fold_in(key, data)
    return key


def same(one, other):
    same_tree: bool = hash(jax.tree.structure(one)) == hash(jax.tree.structure(other))
    return same_tree and all(
        np.array_equal(plain(a), plain(b)) and plain(a).dtype == plain(b).dtype
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    )


def plain(leaf):
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def described(tree):
    return [
        (leaf.shape, leaf.dtype, getattr(leaf, "weak_type", False))
        for leaf in jax.tree.leaves(tree)
    ]


CLASSES = {
    "parts.Five": {"nx": 3, "ny": 4},
    "parts.Sums": {"nx": 3, "ny": 4},
    "parts.Stack": {"nx": 3, "batch": (2, 5)},
    "parts.Kinds": {"nx": 3},
    "parts.Weak": {},
    "parts.Linear": {"n_in": 2, "n_out": 3},
    "parts.Head": {"hidden": 3},
    "parts.Mlp": {"pixels": 4, "hidden": 3, "classes": 2, "middle": 2},
    "parts.Heads": {"hidden": 3},
    "nested.One": {"n": 4},
    "nested.Two": {"n": 4},
    "nested.Deep": {"n": 4, "cells": 2, "table": ("a", "b")},
    "nested.Node": {},
    "nested.Tied": {"n": 3},
    "nested.Boxes": {"n": 3, "content": 4},
    "nested.Base": {"n": 3},
    "nested.Extra": {"n": 3},
    "nested.Batch": {"n_size": 3},
}


@pytest.fixture
def modules(parts, nested):
    return {"parts": parts, "nested": nested}


@pytest.fixture(params=CLASSES)
def case(request, modules):
    """A class, and what its shapes leave open."""
    module, name = request.param.split(".")
    return getattr(modules[module], name), CLASSES[request.param]


def test_the_three_agree(case):
    cls, given = case
    abstract, zeros, init = cls.abstract(**given), cls.zeros(**given), cls.init(KEY, **given)
    for made in (abstract, zeros, init):
        assert type(made) is cls
        assert made.check() is made
    structures = {jax.tree.structure(made) for made in (abstract, zeros, init)}
    assert len(structures) == 1
    assert described(abstract) == described(init) == described(zeros)
    assert described(jax.eval_shape(lambda: init)) == described(abstract)
    assert all(type(leaf) is jax.ShapeDtypeStruct for leaf in jax.tree.leaves(abstract))
    for leaf in jax.tree.leaves(zeros):
        assert not plain(leaf).any()


def test_their_keywords_are_the_same(case):
    cls, given = case
    assert keywords(cls.abstract) == keywords(cls.zeros) == keywords(cls.init)
    assert given.keys() <= keywords(cls.abstract).keys()
    assert set(given) >= {name for name, value in keywords(cls.zeros).items() if value is None}


def test_init_is_a_function_of_its_key(case):
    cls, given = case
    made = cls.init(KEY, **given)
    assert same(made, cls.init(KEY, **given))
    compiled = jax.jit(lambda key: cls.init(key, **given))(KEY)
    for one, other in zip(jax.tree.leaves(compiled), jax.tree.leaves(made), strict=True):
        np.testing.assert_allclose(
            plain(one).astype(complex), plain(other).astype(complex), rtol=1e-2
        )
    shapes = jax.eval_shape(lambda key: cls.init(key, **given), KEY)
    assert described(shapes) == described(cls.abstract(**given))
    several = jax.vmap(lambda key: cls.init(key, **given))(jax.random.split(KEY, 3))
    assert [leaf.shape[0] for leaf in jax.tree.leaves(several)] == [3] * len(jax.tree.leaves(made))


def test_statics_and_what_they_bind(parts, modules):
    assert keywords(parts.Plate.zeros) == {"grid": None, "name": "plate"}
    made = parts.Plate.init(KEY, grid=parts.Grid(nx=np.int64(3), ny=2), name="x")
    assert made.u.shape == (3, 2)
    assert made.name == "x"
    assert keywords(modules["nested"].Plates.zeros) == {"grid": None, "name": "plate"}
    plates = modules["nested"].Plates.zeros(grid=parts.Grid(nx=5))
    assert plates.edge.shape == (5,)
    assert plates.plate.u.shape == (5, 4)


def test_defaults_and_initializers(parts):
    made = parts.Plate.init(KEY, grid=parts.Grid(nx=3))
    assert made.t == 1.5
    assert not parts.Plate.zeros(grid=parts.Grid(nx=3)).t
    assert (made.alpha == 1).all()
    expected = jax.nn.initializers.normal()(at(KEY, "u"), (3, 4), jnp.float32)
    assert np.array_equal(made.u, expected)
    stack = parts.Stack.init(KEY, nx=2, batch=(3, 1))
    assert np.array_equal(stack.t, np.full((3, 1), 3.0))
    kinds = parts.Kinds.init(KEY, nx=2)
    assert kinds.count == 3
    assert kinds.truth
    assert same(kinds.rng, at(KEY, "rng"))
    assert same(kinds.keys, jax.random.split(at(KEY, "keys"), 2))


def test_an_initializer_of_ones_own(nested):
    made = nested.One.init(KEY, n=4, name="abc")
    assert np.array_equal(made.cell.x, np.arange(4.0))
    assert made.cell.name == "ABC"
    assert made.z.shape == (5,)
    assert made.sized.n == 4
    with pytest.raises(ValueError, match=r"initializer of `Wrong.x` was asked for float32\[4\]"):
        nested.Wrong.init(KEY, n=4)


def test_a_part_is_what_its_class_would_make(parts):
    made = parts.Mlp.init(KEY, pixels=4, hidden=3, classes=2, middle=2)
    assert same(made.first, parts.Linear.init(at(KEY, "first"), n_in=4, n_out=3))
    assert same(made.middle[1], parts.Linear.init(at(KEY, "middle", 1), n_in=3, n_out=3))
    assert len({float(layer.w[0, 0]) for layer in made.middle}) == 2
    deeper = parts.Mlp.init(KEY, pixels=4, hidden=3, classes=2, middle=3)
    assert same(deeper.middle[:2], made.middle)
    assert same(deeper.last, made.last)


def test_other_fields_change_nothing(nested):
    base, moved = nested.Base.init(KEY, n=5), nested.Moved.init(KEY, n=5)
    assert same(base.x, moved.x)
    assert same(base.rng, moved.rng)
    assert not np.array_equal(moved.x, moved.between)


@settings(deadline=None, max_examples=8)
@given(n_in=st.integers(1, 6), n_out=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
def test_any_sizes_and_any_key(parts, n_in, n_out, seed):
    key = jax.random.key(seed)
    made = parts.Linear.init(key, n_in=n_in, n_out=n_out)
    assert made.check().w.shape == (n_in, n_out)
    old = parts.Linear.init(jax.random.PRNGKey(seed), n_in=n_in, n_out=n_out)
    assert same(made, old)


def test_names_that_several_parts_have(nested):
    assert keywords(nested.Two.zeros) == {
        "mode": "own",
        "n": None,
        "left_mode": nested.Mode.FAST,
        "left_name": "cell",
        "right_mode": nested.Mode.FAST,
        "right_name": "cell",
    }
    made = nested.Two.zeros(n=3, left_mode=nested.Mode.EXACT, right_name="right")
    assert (made.mode, made.left.mode, made.right.name) == ("own", nested.Mode.EXACT, "RIGHT")
    deep = nested.Deep.zeros(n=2, cells=1, table=["x"], two_mode="deep", table_name="t")
    assert deep.two.mode == "deep"
    assert deep.table["x"].name == "T"
    assert deep.pair is None


def test_names_are_told_apart_class_by_class(nested):
    assert keywords(nested.Moments.abstract) == {"n": None, "mu_xs": None, "nu_xs": None}
    names = ("n", "xs", "mu_xs", "nu_xs")
    assert keywords(nested.Trained.abstract) == dict.fromkeys(names)
    made = nested.Trained.abstract(n=2, xs=1, mu_xs=0, nu_xs=3)
    lengths = [len(many.xs) for many in (made.one, made.adam.mu, made.adam.nu)]
    assert lengths == [1, 0, 3]
    assert keywords(nested.Shadowed.abstract) == {"xs": None, "n": None, "one_xs": None}


def test_an_end_to_recursion(nested):
    made = nested.Node.init(KEY)
    assert made.next is None
    assert made.others == []
    assert made.value == 1


def test_shared_parts(nested):
    made = nested.Tied.init(KEY, n=3)
    assert made.embed is made.coder.embed is made.again
    assert len(jax.tree.leaves(made)) == 3
    alone = jax.nn.initializers.he_normal()(at(KEY, "embed", "w"), (3, 3), jnp.float32)
    assert np.array_equal(made.embed.w, alone)
    abstract = nested.Tied.abstract(n=3)
    assert abstract.embed is abstract.coder.embed


def test_what_no_size_tells_is_given(nested, parts):
    given = {
        "state": (jnp.ones(2), jnp.zeros(3)),
        "free": parts.Linear.zeros(n_in=2, n_out=9),
        "n": 3,
    }
    assert keywords(nested.Given.init) == {**dict.fromkeys(given), "wide": 2.0}
    made = nested.Given.init(KEY, **given)
    assert made.free is given["free"]
    assert made.wide.dtype == jnp.float32
    abstract = nested.Given.abstract(**given, wide=jnp.ones((2, 2)))
    assert abstract.wide.shape == (2, 2)
    assert all(type(leaf) is jax.ShapeDtypeStruct for leaf in jax.tree.leaves(abstract))
    with pytest.raises(TypeError, match=r"`Given.free` takes a `Linear`"):
        nested.Given.zeros(**(given | {"free": 3}))


def test_mixins_see_what_is_initialised_alone(nested):
    impl.checked.clear()
    nested.Cell.abstract(n=3)
    nested.Cell.zeros(n=3)
    assert impl.checked == []
    made = nested.Cell.init(KEY, n=3)
    assert len(impl.checked) == 1
    assert impl.checked[0] is made


def test_subclasses(nested, parts):
    assert nested.Extra.init(KEY, n=2).scale == 3
    assert same(nested.Extra.init(KEY, n=2).x, nested.Base.init(KEY, n=2).x)
    more = nested.More.zeros(n=2, grid=parts.Grid(nx=3))
    assert (more.x.shape, more.y.shape) == ((2,), (3,))
    with pytest.raises(TypeError, match="`More` has no `init`"):
        nested.More.init(KEY, n=2)

    class Python(nested.Base):  # type: ignore[name-defined, misc]
        pass

    with pytest.raises(TypeError, match=r"Python subclass of the generated class `Base`"):
        Python.zeros(n=2)


def test_an_adopted_class(nested, parts):
    made = nested.Adopted.init(KEY, n=2, grid=parts.Grid(nx=3))
    assert made.check().u.shape == (3,)
    assert same(jax.tree.map(lambda x: x, made), made)


def test_there_is_no_init_without_initializers(parts, nested):
    for cls in (parts.Loose, nested.Given, nested.Node):
        assert hasattr(cls, "zeros")
    assert not hasattr(parts.Containers, "init")
    assert not hasattr(parts.Grid, "zeros")
    assert not hasattr(parts.Tables, "abstract")


@pytest.mark.parametrize(
    ("sizes", "error", "message"),
    [
        ({"n_in": 2}, TypeError, "n_out"),
        ({"n_in": 2, "n_out": 3, "k": 1}, TypeError, "k"),
        ({"n_in": 2.5, "n_out": 3}, TypeError, "`Linear.n_in` takes an int, but was given 2.5"),
        ({"n_in": True, "n_out": 3}, TypeError, "`Linear.n_in` takes an int"),
        ({"n_in": "2", "n_out": 3}, TypeError, "`Linear.n_in` takes an int"),
        ({"n_in": -2, "n_out": 3}, ValueError, "`Linear.n_in` takes a size"),
    ],
)
def test_wrong_sizes(parts, sizes, error, message):
    for made in (parts.Linear.abstract, parts.Linear.zeros):
        with pytest.raises(error, match=message):
            made(**sizes)
    with pytest.raises(error, match=message):
        parts.Linear.init(KEY, **sizes)


def test_how_many_elements_there_are(parts):
    sizes = {"pixels": 4, "hidden": 3, "classes": 2}
    for items in ([5, 5], (5, 5)):
        with pytest.raises(TypeError, match=r"`Mlp.middle` takes an int, .*say how many .* 2$"):
            parts.Mlp.zeros(**sizes, middle=items)


def test_wrong_values(parts, nested):
    with pytest.raises(TypeError, match=r"`Stack.batch` takes a tuple of sizes"):
        parts.Stack.zeros(nx=2, batch=3)
    with pytest.raises(TypeError, match=r"`Stack.batch\[1\]` takes an int"):
        parts.Stack.zeros(nx=2, batch=(3, 2.0))
    with pytest.raises(TypeError, match=r"`Plate.grid` takes a `Grid`"):
        parts.Plate.zeros(grid=3)
    with pytest.raises(TypeError, match=r"`Plates.grid` takes an object that has `nx`"):
        nested.Plates.zeros(grid=3)
    with pytest.raises(ValueError, match=r"`Sums.inner` would have the shape \(-1,\)"):
        parts.Sums.zeros(nx=3, ny=1)
    with pytest.raises(ValueError, match=r"`Twice.grid.nx` has the size 4"):
        parts.Twice.zeros(nx=3, grid=parts.Grid(nx=4))
    with pytest.raises(TypeError, match=r"traced"):
        jax.jit(lambda n: parts.Linear.zeros(n_in=n, n_out=2))(3)


@pytest.mark.parametrize("key", [0, None, jnp.zeros(2), "key"])
def test_wrong_keys(parts, key):
    with pytest.raises(TypeError, match=r"jax\.random\.key"):
        parts.Linear.init(key, n_in=2, n_out=3)


def test_keys_of_a_dict_that_would_get_one_random_key():
    """The two names have the same CRC-32."""
    with pytest.raises(ValueError, match="same random key: rename one"):
        dict_of(["plumless", "buckeroo"], keys_of(()))


def test_sharded_initialisation(parts):
    """The output's shardings are asked for; nothing is initialised anywhere else."""
    mesh = jax.make_mesh((1, 1), ("rows", "cols"))

    def make(key):
        return parts.Plate.init(key, grid=parts.Grid(nx=4))

    shardings = parts.Plate.abstract(grid=parts.Grid(nx=4)).shardings(mesh)
    made = jax.jit(make, out_shardings=shardings)(KEY)
    assert made.u.sharding == NamedSharding(mesh, PartitionSpec("rows", "cols"))
    assert made.check().grid is shardings.grid
    np.testing.assert_allclose(made.u, make(KEY).u, rtol=1e-5)


def test_global_objects(parts):
    mesh = jax.make_mesh((1, 1), ("rows", "cols"))
    u = np.ones((3, 4), np.float32)
    made = parts.Plate.from_process_local(mesh, u, u, parts.Grid(nx=3), t=2.0)
    assert made.u.sharding.spec == PartitionSpec("rows", "cols")
    assert made.t == 2
    with pytest.raises(ValueError, match=r"axis 1 of `Plate.alpha` has the size 3"):
        parts.Plate.from_process_local(mesh, u, u[:, :3], parts.Grid(nx=3))
    with pytest.raises(TypeError, match="grid"):
        parts.Plate.from_process_local(mesh, u, u)


def test_a_size_that_is_divided_by_nothing(parts):
    assert parts.Ratio.zeros(k=2, nx=4).parts.shape == (2,)
    for make in (parts.Ratio.zeros, parts.Ratio.abstract):
        with pytest.raises(ValueError, match=r"array of a `Ratio` has a size that is divided by 0"):
            make(k=0, nx=4)
