"""What makes values, and what schemas name as defaults."""

import enum
import importlib
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array


class Kind(enum.Enum):
    """An enum of Python's."""

    A = 1
    B = 2


def double(x: Array) -> Array:
    """A function that is found by its name."""
    return 2 * x


made: list[str] = []


def ones() -> Array:
    """An array, and a note of it."""
    made.append("ones")
    return jnp.ones(2)


def rates() -> dict[str, Any]:
    """Numbers, which a constructor makes arrays of."""
    return {"a": 1, "b": jnp.ones(())}


def pair() -> tuple[Array, Array]:
    """Arrays of a size that nothing else says."""
    return jnp.ones(2), jnp.zeros(2)


def cell() -> Any:
    """An object of a generated class."""
    return importlib.import_module("comfort.plates").Cell(jnp.ones(2), bias=3.0)


def size() -> float:
    """What a converter is given."""
    return 2.4


def moved(marker: Any, holder: Any) -> Any:
    """Arrays plus one, of an object that may have none."""
    return jax.tree.map(lambda x: x + holder.x, marker)


def scaled(rates: Any, cells: Any) -> Any:
    """A list, of what is a dict and a tuple here."""
    assert (type(rates), type(cells)) == (dict, tuple)
    return [rates["a"] * cell for cell in cells]
