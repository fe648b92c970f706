"""Functions for `convert=` and `init=`."""

from typing import Any

import jax.numpy as jnp
from jax import Array


def as_sizes(sizes: int | tuple[int, ...]) -> tuple[int, ...]:
    """Convert one size or several."""
    return (sizes,) if isinstance(sizes, int) else sizes


def doubled(n: int) -> int:
    """Double a number (not idempotent)."""
    return 2 * n


def as_sizes_of_the_boundary_conditions(sizes: int | tuple[int, ...]) -> tuple[int, ...]:
    """The same function under a name that makes imports long."""
    return as_sizes(sizes)


def starting_temperature_of_all_plates(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """An initializer."""
    return jnp.full(shape, 300.0, dtype)


class Text:
    """A class with a converter."""

    @staticmethod
    def stripped(text: str) -> str:
        return text.strip()
