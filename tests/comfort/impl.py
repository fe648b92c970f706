"""Factories, converters and implementations that the schemas name."""

import enum
import importlib
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array


class Kind(enum.Enum):
    """A Python enum."""

    A = 1
    B = 2


def double(x: Array) -> Array:
    """A function that can be imported by name."""
    return 2 * x


made: list[str] = []


def ones() -> Array:
    """Return an array, and record the call."""
    made.append("ones")
    return jnp.ones(2)


def rates() -> dict[str, Any]:
    """Return numbers that a constructor converts to arrays."""
    return {"a": 1, "b": jnp.ones(())}


def pair() -> tuple[Array, Array]:
    """Return arrays whose size nothing else determines."""
    return jnp.ones(2), jnp.zeros(2)


def cell() -> Any:
    """Return an object of a generated class."""
    return importlib.import_module("comfort.plates").Cell(jnp.ones(2), bias=3.0)


def size() -> float:
    """Return a value for a converter."""
    return 2.4


def moved(marker: Any, holder: Any) -> Any:
    """Add to the arrays of an object that may have none."""
    return jax.tree.map(lambda x: x + holder.x, marker)


def scaled(rates: Any, cells: Any) -> Any:
    """Return a list for fields that hold a dict and a tuple."""
    assert (type(rates), type(cells)) == (dict, tuple)
    return [rates["a"] * cell for cell in cells]


def applied(called: Any, x: Array) -> Any:
    """Apply an object as a function."""
    return called.inner.w @ x + called.inner.b
