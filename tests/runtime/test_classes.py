# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Generated classes behave like dataclasses and pytrees."""

import jax
import jax.numpy as jnp
import pytest

from tests.runtime.made import make_plate
from tests.runtime.sample import Linear, Point


def test_equality_is_by_content() -> None:
    nan = jnp.array([1.0, jnp.nan])
    assert Linear(nan, 1.0) == Linear(nan + 0, 1.0)
    assert Linear(nan, 1.0) != Linear(nan, 1.0, n=2)
    assert Linear(nan, 1.0) != Linear(nan.astype(jnp.bfloat16), 1.0)
    assert Linear(nan.astype(jnp.bfloat16), 1.0) == Linear(nan.astype(jnp.bfloat16), 1.0)
    assert Linear(jnp.ones((1, 2)), 1.0) != Linear(jnp.ones((2, 1)), 1.0)
    assert Linear(1.0, 1.0) != Point(1.0, 1.0)
    assert Linear(jax.random.key(0), 1.0) == Linear(jax.random.key(0), 1.0)
    assert Linear(jax.random.key(0), 1.0) != Linear(jax.random.key(1), 1.0)
    assert Linear(jnp.ones(2, jnp.int4), 1.0) == Linear(jnp.ones(2, jnp.int4), 1.0)
    assert make_plate() == make_plate()
    assert make_plate() != make_plate(layers=())
    assert make_plate() != make_plate(extra=1.0)
    mark = object()
    marks = jax.tree.map(lambda _: mark, make_plate())
    assert marks == jax.tree.map(lambda _: mark, make_plate())
    assert marks != make_plate()
    with pytest.raises(jax.errors.JAXTypeError):
        jax.jit(lambda x: Linear(x, 1.0) == Linear(x + 1, 1.0))(1.0)


def test_hash_error_explains_the_reason() -> None:
    with pytest.raises(TypeError, match="unhashable: a `Linear` contains arrays"):
        hash(Linear(1.0, 2.0))
