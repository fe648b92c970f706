# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""Shared parts are one object, and one set of leaves, wherever JAX has taken them apart."""

import copy
import importlib
import pickle
import sys
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import pytest

from codegen.files.schemas import schemas
from codegen.options import Options
from codegen.pipeline import compile as compile_schemas

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The generated module; what its function runs stands beside it."""
    folder = tmp_path_factory.mktemp("sharing")
    compiled = compile_schemas(schemas(str(HERE / "schemas")), Options("schemas", "shared"))
    assert not compiled.report
    for file in compiled.rendered:
        path = folder / "shared" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    runs = ModuleType("sharing_model")
    vars(runs)["grow"] = lambda *values: jax.tree.map(lambda leaf: leaf + 1, values)
    sys.modules["sharing_model"] = runs
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("shared.model")
    finally:
        sys.path.remove(str(folder))
        del sys.modules["sharing_model"]


@pytest.fixture
def made(model):
    table = model.Table(rows=jnp.arange(3.0))
    return model.Model(table, model.Coder(table), model.Coder(table))


def is_shared(made):
    return made.table is made.encoder.table is made.decoder.table


def test_there_is_one_set_of_leaves_named_by_the_owner(made):
    paths = [
        jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(made)[0]
    ]
    assert paths == [".table.rows", ".encoder.bias", ".decoder.bias"]


@pytest.mark.parametrize(
    "transform",
    [
        jax.jit(lambda m: m),
        lambda made: jax.tree.map(lambda leaf: leaf, made),
        jax.grad(lambda m: m.table.rows.sum()),
        lambda made: jax.eval_shape(lambda m: m, made),
        lambda made: jax.lax.scan(lambda m, _: (m, None), made, None, length=2)[0],
        lambda made: jax.lax.cond(True, lambda m: m, lambda m: m, made),
        jax.vmap(lambda m: m, axis_size=2, in_axes=None, out_axes=0),
        jax.checkpoint(lambda m: m),
        lambda made: pickle.loads(pickle.dumps(made)),
        copy.deepcopy,
        copy.copy,
    ],
)
def test_it_is_shared_again_afterwards(made, transform):
    assert is_shared(transform(made))


def test_it_is_shared_inside_a_trace(made):
    assert jax.jit(lambda m: jnp.asarray(is_shared(m)))(made)


def test_one_gradient_is_the_sum_over_uses(made):
    def loss(m):
        return (m.table.rows * m.encoder.table.rows * m.decoder.table.rows).sum()

    assert jnp.allclose(jax.grad(loss)(made).table.rows, 3 * made.table.rows**2)


def test_other_objects_at_shared_paths_are_refused_with_both_paths(model, made):
    other = model.Table(rows=jnp.zeros(3))
    with pytest.raises(ValueError, match=r"Model\.table.*Model\.encoder\.table"):
        model.Model(other, made.encoder, made.decoder)
    with pytest.raises(ValueError, match=r"Model\.table.*Model\.decoder\.table"):
        made.replace(decoder=model.Coder(other))


def test_replace_of_the_owner_rebinds_every_path(model, made):
    other = model.Table(rows=jnp.zeros(3))
    replaced = made.replace(table=other)
    assert is_shared(replaced)
    assert replaced.decoder.table is other


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
