# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Shared parts are one object and one set of leaves, also after JAX has rebuilt the tree."""

import copy
import inspect
import pickle
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime.sharing import HOLE
from tests import forked
from tests.xla import COMPILED_QUICKLY

HERE = Path(__file__).parent


def add_one(made):
    return jax.tree.map(lambda leaf: leaf + 1, made)


def stacked(made):
    return jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), made)


def is_shared(made):
    return made.table is made.encoder.table is made.decoder.table


def test_leaves_of_a_shared_part_appear_once_at_the_owner(made):
    paths = [
        jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(made)[0]
    ]
    assert paths == [".table.rows", ".encoder.bias", ".decoder.bias"]


def test_the_docstring_names_what_is_shared(made):
    assert (
        "Shared parts. Each is one object at all of its paths:\n"
        "    table, encoder.table, decoder.table" in str(inspect.getdoc(type(made)))
    )


@pytest.mark.parametrize(
    "transform",
    [
        jax.jit(lambda m: m),
        lambda made: jax.tree.map(lambda leaf: leaf, made),
        jax.grad(lambda m: m.table.rows.sum()),
        lambda made: jax.eval_shape(lambda m: m, made),
        lambda made: jax.lax.scan(lambda m, _: (m, None), made, None, length=2)[0],
        lambda made: jax.lax.cond(True, lambda m: m, lambda m: m, made),
        lambda made: jax.lax.while_loop(lambda m: m.table.rows[0] < 2, add_one, made),
        lambda made: jax.lax.fori_loop(0, 2, lambda _, m: m, made),
        lambda made: jax.lax.map(lambda m: m, stacked(made)),
        lambda made: jax.vmap(lambda m: m)(stacked(made)),
        lambda made: jax.jvp(lambda m: m, (made,), (made,))[1],
        lambda made: jax.vjp(lambda m: m, made)[1](made)[0],
        lambda made: jax.tree.transpose(
            jax.tree.structure(made), None, jax.tree.map(lambda leaf: (leaf,), made)
        )[0],
        lambda made: jax.device_put(made, jax.devices()[0]),
        lambda made: jax.tree.unflatten(jax.tree.structure(made), [None] * 3),
        jax.vmap(lambda m: m, axis_size=2, in_axes=None, out_axes=0),
        jax.checkpoint(lambda m: m),
        lambda made: pickle.loads(pickle.dumps(made)),
        copy.deepcopy,
        copy.copy,
    ],
)
def test_parts_are_shared_after_a_transformation(made, transform):
    assert is_shared(transform(made))


def test_gradient_of_a_shared_part_is_the_sum_over_uses(made):
    def loss(m):
        return (m.table.rows * m.encoder.table.rows * m.decoder.table.rows).sum()

    assert jnp.allclose(jax.grad(loss)(made).table.rows, 3 * made.table.rows**2)


def test_different_objects_at_shared_paths_are_an_error_with_both_paths(model, made):
    other = model.Table(rows=jnp.zeros(3))
    with pytest.raises(ValueError, match=r"Model\.table.*Model\.encoder\.table"):
        model.Model(other, made.encoder, made.decoder)
    with pytest.raises(ValueError, match=r"Model\.table.*Model\.decoder\.table"):
        made.replace(decoder=model.Coder(other))


def test_a_function_donates_a_shared_part_once(model, made):
    u = jnp.zeros(3)
    outer = model.Outer(made, made.encoder.table)
    pair = model.Pair(u, model.Cell(u))
    assert model.grow.donation(outer, pair) == {
        "outer.model.table.rows": True,
        "pair.u": True,
    }
    grown, grown_pair = model.grow(outer, pair)
    assert is_shared(grown.model)
    assert grown.table is grown.model.table
    assert grown_pair.u is grown_pair.cell.u
    assert grown_pair.u.tolist() == [1.0, 1.0, 1.0]
    for consumed in (outer.table.rows, outer.model.decoder.table.rows, pair.u, pair.cell.u):
        with pytest.raises(RuntimeError, match="consumed by `grow`"):
            consumed + 1


def test_a_consumed_shared_array_is_named_by_its_owner(model, made):
    u = jnp.zeros(3)
    pair = model.Pair(u, model.Cell(u))
    model.grow(model.Outer(made, made.table), pair)
    with pytest.raises(RuntimeError, match=r"`Pair\.u` was consumed by `grow`.* as `pair\.u`"):
        pair.cell.u + 1


def test_replace_at_a_shared_path_is_an_error_with_advice(model, made):
    outer = model.Outer(made, made.table)
    with pytest.raises(
        ValueError, match=r"use `replace\(model=\.\.\.\)`, which replaces it"
    ) as caught:
        outer.replace(table=model.Table(rows=jnp.zeros(3)))
    assert "`Outer.model.encoder.table` and `Outer.table`" in str(caught.value)
    with pytest.raises(TypeError, match="unexpected keyword"):
        outer.replace(rows=jnp.zeros(3))


@pytest.fixture
def beyond(model, made):
    coder = model.Coder(made.table)
    other = model.Model(made.table, coder, coder)
    return model.Beyond(model.Around(made.table, made), other)


def is_shared_beyond(beyond):
    around, other = beyond.around, beyond.other
    table = around.table
    return (
        is_shared(around.model) and is_shared(other) and around.model.table is table is other.table
    )


def test_shared_model_that_itself_shares_parts(model, beyond):
    """There is one set of leaves, and all paths of all classes lead to the same parts."""
    paths = [
        jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(beyond)[0]
    ]
    assert paths == [
        ".around.table.rows",
        ".around.model.encoder.bias",
        ".around.model.decoder.bias",
        ".other.encoder.bias",
        ".other.decoder.bias",
    ]
    for transform in (jax.jit(lambda m: m), copy.deepcopy, add_one, stacked):
        assert is_shared_beyond(transform(beyond))
    table = model.Table(rows=jnp.ones(3))
    around = beyond.around.replace(table=table)
    assert is_shared_beyond(beyond.replace(around=around))
    assert around.model.decoder.table is table
    # The original object is unchanged.
    assert is_shared_beyond(beyond)
    assert beyond.around.table is not table


def test_a_subclass_shares_what_its_base_does(model):
    u, part = jnp.arange(3.0), model.Cell(jnp.ones(3))
    made = model.Measured(u, model.Cell(u), part, part)
    assert len(jax.tree.leaves(made)) == 2
    after = jax.tree.map(lambda leaf: leaf + 1, made)
    assert after.cell.u is after.u
    assert after.second is after.first
    with pytest.raises(ValueError, match=r"`Measured\.u` and `Measured\.cell\.u`"):
        model.Measured(u, model.Cell(jnp.zeros(3)), part, part)


def test_unflatten_does_not_change_the_flattened_object(made):
    """Unflattening fills the copies that flattening created, not existing objects."""
    is_coder = lambda part: type(part).__name__ == "Coder"  # noqa: E731
    leaves, treedef = jax.tree.flatten(made, is_leaf=is_coder)
    first = jax.tree.unflatten(treedef, leaves)
    second = jax.tree.unflatten(treedef, [jax.tree.map(lambda x: x + 1, leaves[0]), *leaves[1:]])
    assert is_shared(made)
    assert is_shared(first)
    assert is_shared(second)
    assert first.table is not second.table


ON_DEVICES = """
import sys
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
sys.path.insert(0, sys.argv[1])
from shared.model import Coder, Model, Table

table = Table(rows=jnp.arange(8.0))
made = Model(table, Coder(table), Coder(table))
mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
specs = [NamedSharding(mesh, P("x")), NamedSharding(mesh, P()), NamedSharding(mesh, P())]
shardings = jax.tree.unflatten(jax.tree.structure(made), specs)
assert shardings.table is shardings.encoder.table
placed = jax.device_put(made, shardings)
step = jax.jit(lambda m: jax.tree.map(lambda x: x + 1, m), in_shardings=(shardings,),
               out_shardings=shardings, donate_argnums=0)
for m in (placed, step(placed)):
    assert m.table is m.encoder.table is m.decoder.table
    assert m.decoder.table.rows.sharding.spec == P("x")
assert placed.table.rows.is_deleted()
print(len(jax.devices()))
"""


def test_parts_are_shared_on_several_devices(model):
    folder = Path(model.__file__).parents[1]
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=4"
    done = forked.run("-W", "error", "-c", ON_DEVICES, str(folder), env={"XLA_FLAGS": flags})
    assert done.stdout.strip() == "4"


def test_split_searches_placeholders_only_among_its_own_leaves(model):
    """Searching all leaves of a call would take quadratic time for many such objects."""
    rows = jnp.ones(2)
    pair = model.Pair(rows, model.Cell(rows))
    donated, kept = [HOLE], [HOLE]
    type(pair).__codegen_record__.split(pair, donated, kept)
    assert list(map(len, (donated, kept))) == [2, 1]
    type(pair).__codegen_record__.split(pair, kept, kept)
    assert len(kept) == 2
