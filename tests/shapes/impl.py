"""What the schemas of these tests name."""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
from jax import Array

checked: list[object] = []

State: TypeAlias = tuple[Array, Array]


def ramp(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """From 0, whatever the key."""
    return jnp.arange(shape[0], dtype=dtype)


def wrong_shape(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """One element too many."""
    return jax.random.normal(key, (shape[0] + 1,), dtype)


def upper(name: str) -> str:
    """A converter."""
    return name.upper()


class Checked:
    """A mixin that looks at new objects."""

    __slots__ = ()

    def __check_init__(self) -> None:
        checked.append(self)
