"""Defaults: created for each object, imported, and passed by position."""

import copy
import dataclasses
import importlib
import inspect
import pickle
from typing import Any

# mypy: disable-error-code="operator"
import jax
import pytest
from jax import numpy as jnp

from tests.comfort import impl


@pytest.fixture(scope="module")
def made(plates: Any) -> Any:
    """The module of `schemas/made.pyi`."""
    return importlib.import_module(f"{plates.__package__}.made")


def test_each_object_has_its_own_default(made: Any) -> None:
    one, other = made.Made(), made.Made()
    for name in ("table", "items", "anything", "maybe", "rates"):
        assert getattr(one, name) == getattr(other, name)
        assert getattr(one, name) is not getattr(other, name)
    one.anything["x"] = 1
    assert made.Made().anything == {}
    assert one.rates["a"].dtype == jnp.float32
    assert (one.cell.bias.item(), one.size) == (3.0, 2)


def test_factory_is_called_only_without_an_argument(made: Any) -> None:
    impl.made.clear()
    given = made.Made(weights=jnp.zeros(3))
    given = given.replace(size=4.0)
    jax.tree.map(jnp.cos, pickle.loads(pickle.dumps(copy.deepcopy(given))))
    assert impl.made == []
    assert made.Made() == made.Made()
    assert len(impl.made) == 2


def test_dataclass_fields_have_factories(made: Any) -> None:
    fields = {f.name: f for f in dataclasses.fields(made.Made)}
    missing = dataclasses.MISSING
    assert {f.default for f in fields.values()} == {missing}
    assert fields["table"].default_factory() == {}
    assert fields["items"].default_factory() == []
    assert fields["weights"].default_factory().tolist() == [1.0, 1.0]
    assert dataclasses.fields(made.Positional)[0].default_factory is missing
    assert "weights: 'ArrayLike' = MISSING" in str(inspect.signature(made.Made))


def test_abstract_and_init_use_default_factories(made: Any) -> None:
    shapes = made.Initial.abstract(n=2)
    assert shapes.rates["a"].dtype == jnp.float32
    assert not shapes.rates["a"].weak_type
    assert shapes.cell.u.shape == (2,)
    obj = jax.jit(shapes.init)(jax.random.key(0))
    assert (obj.weights.tolist(), obj.scale.tolist()) == ([1.0, 1.0], [0.0, 0.0])
    assert (obj.kind.item(), obj.cell.bias.item()) == (pytest.approx(2.4), 3.0)
    assert [x.tolist() for x in obj.pair] == [[1.0, 1.0], [0.0, 0.0]]
    assert obj == made.Initial(scale=jnp.zeros(2))
    with pytest.raises(ValueError, match=r"factory of `Alone.weights` must return .*[3]"):
        made.Alone.abstract(n=3).init(jax.random.key(0))
    assert made.Made.abstract(n=2).size == 2
    assert made.Made.abstract(n=2, size=3.6).size == 4


def test_imported_default_is_part_of_the_key(made: Any) -> None:
    one = made.Imported()
    assert (one.relu, one.double) == (jax.nn.relu, impl.double)
    assert (one.kinds, one.part.kind) == ((impl.Kind.A, impl.Kind.B), impl.Kind.A)
    assert one == made.Imported()
    assert {one: 1}[made.Imported(part=made.Part(kind=impl.Kind.A))] == 1
    assert one != one.replace(relu=jax.nn.gelu)
    assert made.Part() != made.Part(kind=impl.Kind.A)
    assert pickle.loads(pickle.dumps(one)) == one


def test_fields_with_defaults_are_accepted_by_position(made: Any) -> None:
    obj = made.Positional(1, 2, {"x": 3}, 4)
    assert (obj.a.item(), obj.b.item(), obj.c["x"].item(), obj.d) == (1.0, 2.0, 3.0, 4)
    assert made.Positional(1) == made.Positional(a=1.0, d=3)
    assert [f.default for f in dataclasses.fields(made.Positional)][1::2] == [1.0, 3]
    assert obj.replace(d=5).b.item() == 2.0
