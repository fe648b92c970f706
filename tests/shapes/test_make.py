# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""Test `abstract`, `zeros` and `init`: objects from sizes, with keys that depend on the path."""

import inspect
import zlib
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import PartitionSpec

from tests.generated.package import Build
from tests.inputs import examples
from tests.shapes import impl

KEY = jax.random.key(7)


def keywords(method):
    """Return the keywords of a method with their defaults."""
    return {
        name: None if p.default is p.empty else p.default
        for name, p in inspect.signature(method).parameters.items()
        if p.kind is p.KEYWORD_ONLY
    }


def at(key, *path):
    """Return the key for a path."""
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

# The classes in which no field has an initializer.
NOT_INITIALISED = {"Weak", "Node"}


@pytest.fixture
def modules(parts, nested):
    return {"parts": parts, "nested": nested}


@pytest.fixture(params=CLASSES)
def case(request, modules):
    """A class, and the sizes that its shapes leave open."""
    module, name = request.param.split(".")
    return getattr(modules[module], name), CLASSES[request.param]


def test_abstract_zeros_and_init_give_the_same_structure(case):
    cls, given = case
    abstract = cls.abstract(**given)
    zeros = abstract.zeros()
    init = abstract.init(KEY) if hasattr(cls, "init") else zeros
    for made in (abstract, zeros, init):
        assert type(made) is cls
        assert made.check() is made
        structures: list[Any] = [jax.tree.structure(made), jax.tree.structure(abstract)]
        assert structures[0] == structures[1]
        assert described(made) == described(abstract)
        assert described(jax.eval_shape(lambda made=made: made)) == described(abstract)
    assert all(type(leaf) is jax.ShapeDtypeStruct for leaf in jax.tree.leaves(abstract))
    for leaf in jax.tree.leaves(zeros):
        assert not plain(leaf).any()


def test_keywords_are_the_open_sizes(case):
    cls, given = case
    assert given.keys() <= keywords(cls.abstract).keys()
    assert set(given) >= {name for name, value in keywords(cls.abstract).items() if value is None}


def test_init_depends_only_on_its_key(case):
    cls, given = case
    if cls.__name__ in NOT_INITIALISED:
        assert not hasattr(cls, "init")
        return
    made = cls.abstract(**given).init(KEY)
    assert same(made, cls.abstract(**given).init(KEY))
    # For an object that has arrays, only their shapes are used.
    assert same(made, cls.abstract(**given).zeros().init(KEY))
    compiled = jax.jit(cls.abstract(**given).init)(KEY)
    for one, other in zip(jax.tree.leaves(compiled), jax.tree.leaves(made), strict=True):
        np.testing.assert_allclose(
            plain(one).astype(complex), plain(other).astype(complex), rtol=1e-2
        )
    shapes = jax.eval_shape(cls.abstract(**given).init, KEY)
    assert described(shapes) == described(cls.abstract(**given))
    several = jax.eval_shape(jax.vmap(cls.abstract(**given).init), jax.random.split(KEY, 3))
    assert [leaf.shape[0] for leaf in jax.tree.leaves(several)] == [3] * len(jax.tree.leaves(made))


def test_static_arguments_bind_sizes(parts, modules):
    assert keywords(parts.Plate.abstract) == {"grid": None, "name": "plate"}
    made = parts.Plate.abstract(grid=parts.Grid(nx=np.int64(3), ny=2), name="x").init(KEY)
    assert made.u.shape == (3, 2)
    assert made.name == "x"
    assert keywords(modules["nested"].Plates.abstract) == {"grid": None, "name": "plate"}
    plates = modules["nested"].Plates.abstract(grid=parts.Grid(nx=5)).zeros()
    assert plates.edge.shape == (5,)
    assert plates.plate.u.shape == (5, 4)


def test_defaults_and_initializers(parts):
    made = parts.Plate.abstract(grid=parts.Grid(nx=3)).init(KEY)
    assert made.t == 1.5
    assert not parts.Plate.abstract(grid=parts.Grid(nx=3)).zeros().t
    assert (made.alpha == 1).all()
    expected = jax.nn.initializers.normal()(at(KEY, "u"), (3, 4), jnp.float32)
    assert np.array_equal(made.u, expected)
    stack = parts.Stack.abstract(nx=2, batch=(3, 1)).init(KEY)
    assert np.array_equal(stack.t, np.full((3, 1), 3.0))
    kinds = parts.Kinds.abstract(nx=2).init(KEY)
    assert kinds.count == 3
    assert kinds.truth
    assert same(kinds.rng, at(KEY, "rng"))
    assert same(kinds.keys, jax.random.split(at(KEY, "keys"), 2))


@pytest.mark.parametrize("name", ["Numbers", "Factories"])
def test_defaults_are_converted_as_by_the_constructor(defaults, name):
    cls = getattr(defaults, name)
    made = jax.tree.map(jnp.asarray, cls(x=jnp.ones(3)))
    abstract = cls.abstract(n=3)
    for other in (abstract, abstract.zeros(), abstract.init(KEY)):
        structures: list[Any] = [jax.tree.structure(made), jax.tree.structure(other)]
        assert structures[0] == structures[1]
        assert described(jax.eval_shape(lambda other=other: other)) == described(made)
    assert same(abstract.init(KEY), made)


def test_custom_initializer(nested):
    made = nested.One.abstract(n=4, name="abc").init(KEY)
    assert np.array_equal(made.cell.x, np.arange(4.0))
    assert made.cell.name == "ABC"
    assert made.z.shape == (5,)
    assert made.sized.n == 4
    with pytest.raises(ValueError, match=r"initializer .* of `Wrong.x` must return float32\[4\]"):
        nested.Wrong.abstract(n=4).init(KEY)
    with pytest.raises(ValueError, match=r"must return float32\[4\], but returned .* float16\[4\]"):
        nested.WrongDtype.abstract(n=4).init(KEY)


def test_part_is_initialized_like_its_class(parts):
    made = parts.Mlp.abstract(pixels=4, hidden=3, classes=2, middle=2).init(KEY)
    assert same(made.first, parts.Linear.abstract(n_in=4, n_out=3).init(at(KEY, "first")))
    assert same(made.middle[1], parts.Linear.abstract(n_in=3, n_out=3).init(at(KEY, "middle", 1)))
    assert len({float(layer.w[0, 0]) for layer in made.middle}) == 2
    deeper = parts.Mlp.abstract(pixels=4, hidden=3, classes=2, middle=3).init(KEY)
    assert same(deeper.middle[:2], made.middle)
    assert same(deeper.last, made.last)


def test_additional_fields_do_not_change_random_values(nested):
    base, moved = nested.Base.abstract(n=5).init(KEY), nested.Moved.abstract(n=5).init(KEY)
    assert same(base.x, moved.x)
    assert same(base.rng, moved.rng)
    assert not np.array_equal(moved.x, moved.between)


@settings(deadline=None, max_examples=examples(8))
@given(n_in=st.integers(1, 6), n_out=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
def test_init_with_random_sizes_and_keys(parts, n_in, n_out, seed):
    key = jax.random.key(seed)
    made = parts.Linear.abstract(n_in=n_in, n_out=n_out).init(key)
    assert made.check().w.shape == (n_in, n_out)
    old = parts.Linear.abstract(n_in=n_in, n_out=n_out).init(jax.random.PRNGKey(seed))
    assert same(made, old)


def test_keyword_used_by_several_parts_gets_prefixes(nested):
    assert keywords(nested.Two.abstract) == {
        "mode": "own",
        "n": None,
        "left_mode": nested.Mode.FAST,
        "left_name": "cell",
        "right_mode": nested.Mode.FAST,
        "right_name": "cell",
    }
    made = nested.Two.abstract(n=3, left_mode=nested.Mode.EXACT, right_name="right").zeros()
    assert (made.mode, made.left.mode, made.right.name) == ("own", nested.Mode.EXACT, "RIGHT")
    deep = nested.Deep.abstract(n=2, cells=1, table=["x"], two_mode="deep", table_name="t").zeros()
    assert deep.two.mode == "deep"
    assert deep.table["x"].name == "T"
    assert deep.pair is None


def test_keyword_prefixes_in_nested_classes(nested):
    assert keywords(nested.Moments.abstract) == {"n": None, "mu_xs": None, "nu_xs": None}
    names = ("n", "xs", "mu_xs", "nu_xs")
    assert keywords(nested.Trained.abstract) == dict.fromkeys(names)
    made = nested.Trained.abstract(n=2, xs=1, mu_xs=0, nu_xs=3)
    lengths = [len(many.xs) for many in (made.one, made.adam.mu, made.adam.nu)]
    assert lengths == [1, 0, 3]
    assert keywords(nested.Shadowed.abstract) == {"xs": None, "n": None, "one_xs": None}


def test_recursive_class_ends_with_none_or_empty_containers(nested):
    made = nested.Node.abstract()
    assert made.next is None
    assert made.others == []
    assert made.value.shape == ()


def test_shared_parts_are_created_once(nested):
    made = nested.Tied.abstract(n=3).init(KEY)
    assert made.embed is made.coder.embed is made.again
    assert len(jax.tree.leaves(made)) == 3
    alone = jax.nn.initializers.he_normal()(at(KEY, "embed", "w"), (3, 3), jnp.float32)
    assert np.array_equal(made.embed.w, alone)
    abstract = nested.Tied.abstract(n=3)
    assert abstract.embed is abstract.coder.embed


def test_class_with_undetermined_fields_is_created_by_its_constructor(nested, parts):
    assert not hasattr(nested.Given, "abstract")
    free = parts.Linear.abstract(n_in=2, n_out=9)
    given = nested.Given(state=None, free=free, x=jax.ShapeDtypeStruct((3,), jnp.float32))
    made = given.replace(wide=jnp.ones((2, 2))).init(KEY)
    assert same(made.free, free.init(at(KEY, "free")))
    assert np.array_equal(made.wide, np.full((2, 2), 2.0))
    zeros = given.zeros()
    assert (zeros.free.w.shape, zeros.x.shape, zeros.wide) == ((2, 9), (3,), 0)


def test_field_without_initializer_is_an_error_that_names_it(nested, parts):
    arrays = (jnp.ones(2), {"of": jnp.zeros(3)})
    given = nested.Given(
        state=arrays, free=parts.Linear.abstract(n_in=2, n_out=9).zeros(), x=jnp.ones(3)
    )
    said = r"`Given` cannot be initialized: .* for `state\[0\]`, `state\[1\]\['of'\]`$"
    with pytest.raises(TypeError, match=said):
        given.init(KEY)
    given = parts.Mlp.abstract(pixels=4, hidden=3, classes=2, middle=0).replace(dropout=0.5)
    with pytest.raises(TypeError, match=r"or a default, for `dropout`$"):
        given.init(KEY)


def test_check_init_runs_only_for_initialized_objects(nested):
    impl.checked.clear()
    nested.Cell.abstract(n=3)
    nested.Cell.abstract(n=3).zeros()
    assert impl.checked == []
    made = nested.Cell.abstract(n=3).init(KEY)
    assert len(impl.checked) == 1
    assert impl.checked[0] is made


def test_abstract_zeros_and_init_of_subclasses(nested, parts):
    assert nested.Extra.abstract(n=2).init(KEY).scale == 3
    assert same(nested.Extra.abstract(n=2).init(KEY).x, nested.Base.abstract(n=2).init(KEY).x)
    more = nested.More.abstract(n=2, grid=parts.Grid(nx=3)).zeros()
    assert (more.x.shape, more.y.shape) == ((2,), (3,))
    with pytest.raises(TypeError, match=r"`More` cannot be initialized: .* for `y`$"):
        more.init(KEY)

    class Python(nested.Base):  # type: ignore[name-defined, misc]
        pass

    made = Python.abstract(n=2).zeros()
    assert type(made) is Python
    assert same(made.x, nested.Base.abstract(n=2).zeros().x)


def test_methods_that_a_class_cannot_have_are_missing(parts, nested):
    assert not hasattr(parts.Containers, "abstract")
    assert not any(hasattr(parts.Loose, name) for name in ("abstract", "init"))
    assert hasattr(parts.Loose, "zeros")
    assert not any(hasattr(parts.Grid, name) for name in ("abstract", "zeros"))
    assert not hasattr(parts.Tables, "abstract")
    assert not hasattr(nested.Two, "globalize")
    assert hasattr(nested.Plates, "globalize")


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
def test_wrong_size_is_an_error(parts, sizes, error, message):
    with pytest.raises(error, match=message):
        parts.Linear.abstract(**sizes)


def test_list_instead_of_a_length_is_an_error(parts):
    sizes = {"pixels": 4, "hidden": 3, "classes": 2}
    for items in ([5, 5], (5, 5)):
        with pytest.raises(TypeError, match=r"`Mlp.middle` takes an int, but was"):
            parts.Mlp.abstract(**sizes, middle=items)


def test_wrong_static_value_is_an_error(parts, nested):
    with pytest.raises(TypeError, match=r"`Stack.batch` takes a tuple of sizes"):
        parts.Stack.abstract(nx=2, batch=3)
    with pytest.raises(TypeError, match=r"`Stack.batch\[1\]` takes an int"):
        parts.Stack.abstract(nx=2, batch=(3, 2.0))
    with pytest.raises(TypeError, match=r"`Plate.grid` takes a `Grid`"):
        parts.Plate.abstract(grid=3)
    with pytest.raises(TypeError, match=r"`Plates.grid` takes an object with `nx`"):
        nested.Plates.abstract(grid=3)
    with pytest.raises(ValueError, match=r"`Sums.inner` would have the shape \(-1,\)"):
        parts.Sums.abstract(nx=3, ny=1)
    with pytest.raises(ValueError, match=r"`Twice.grid.nx` has the size 4"):
        parts.Twice.abstract(nx=3, grid=parts.Grid(nx=4))
    with pytest.raises(TypeError, match=r"traced"):
        jax.jit(lambda n: parts.Linear.abstract(n_in=n, n_out=2))(3)


@pytest.mark.parametrize("key", [0, None, jnp.zeros(2), "key"])
def test_wrong_key_is_an_error(parts, key):
    with pytest.raises(TypeError, match=r"jax\.random\.key"):
        parts.Linear.abstract(n_in=2, n_out=3).init(key)


def test_dict_keys_with_equal_crc_are_an_error(nested):
    """The two names have the same CRC-32."""
    with pytest.raises(ValueError, match="same random key: rename one"):
        nested.Deep.abstract(n=4, cells=2, table=("plumless", "buckeroo"))


def test_globalize_places_and_checks_an_object(parts):
    mesh = jax.make_mesh((1, 1), ("rows", "cols"))
    u = np.ones((3, 4), np.float32)
    made = parts.Plate(u, u, parts.Grid(nx=3), t=2.0).globalize(mesh)
    assert made.u.sharding.spec == PartitionSpec("rows", "cols")
    assert made.t == 2
    with pytest.raises(ValueError, match=r"axis 1 of `Plate.alpha` has the size 3"):
        parts.Plate(u, u[:, :3], parts.Grid(nx=3)).globalize(mesh)


def test_division_of_a_size_by_zero_is_an_error(parts):
    assert parts.Ratio.abstract(k=2, nx=4).zeros().parts.shape == (2,)
    with pytest.raises(ValueError, match=r"`nx // k` divides by zero"):
        parts.Ratio.abstract(k=0, nx=4)


def test_a_class_does_not_use_the_abstract_of_its_base(built: Build, tmp_path: Path) -> None:
    """`Part` needs an array of undeclared shape, so it has no `abstract` of its own."""
    schemas = tmp_path / "inherited"
    schemas.mkdir()
    (schemas / "parts.pyi").write_text(
        "from typing import Any\n"
        "from codegen.schema import Dim, dynamic, f32\n"
        "n = Dim()\n"
        "class Whole:\n    u: dynamic[f32[n]]\n"
        "class Part(Whole):\n    x: dynamic[f32[...]]\n"
        "class Same(Whole):\n    pass\n",
        encoding="utf-8",
    )
    parts = built(schemas, "inherited_abstract").parts
    mine: Any = type("Mine", (parts.Part,), {"__module__": __name__})
    for cls in (parts.Part, mine):
        with pytest.raises(TypeError, match=rf"`{cls.__name__}` has no `abstract` of its own"):
            cls.abstract(n=3)
    derived: Any = type("Derived", (parts.Same,), {"__module__": __name__})
    assert type(derived.abstract(n=3)) is derived
