"""Implementations, mixins and an enum that the schemas of these tests name."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import Array


class Kind(enum.Enum):
    """An enum of a Python module."""

    HALF = 0.5
    WHOLE = 1.0


class Doubling:
    """A mixin with methods and an operator."""

    if TYPE_CHECKING:

        def replace(self, *, x: Any = ...) -> Any: ...

    x: Array

    def doubled(self) -> Any:
        return self.replace(x=self.x * 2)

    def __neg__(self) -> Any:
        return self.replace(x=-self.x)


class Rounded:
    """A mixin with its own equality."""

    x: Array

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and bool(jnp.allclose(self.x, other.x, atol=0.1))

    def __hash__(self) -> int:
        return 0


def apply(block: Any, x: Array) -> Array:
    return jnp.tanh(x @ block.w + block.b)


def weights() -> Array:
    return jnp.arange(3.0)


def added(point: Any, other: Any) -> Any:
    return point.replace(x=point.x + other.x)


def along(cls: Any, x: Array) -> Any:
    return cls(x)


def halved(x: Array) -> Array:
    return x / 2


def norm(point: Any) -> Array:
    return jnp.sqrt((point.x**2).sum())
