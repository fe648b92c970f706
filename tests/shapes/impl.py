"""Functions and mixins that the schemas name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

checked: list[object] = []

State: TypeAlias = tuple[Array, Array]


def ramp(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """Return numbers from 0 on, independent of the key."""
    return jnp.arange(shape[0], dtype=dtype)


def wrong_shape(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """Return one element too many."""
    return jax.random.normal(key, (shape[0] + 1,), dtype)


def wrong_dtype(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """Return an array of the declared kind, but not of the requested dtype."""
    return jnp.ones(shape, "float16")


def upper(name: str) -> str:
    """Convert a text."""
    return name.upper()


class Checked:
    """A mixin that records new objects."""

    __slots__ = ()

    def __check_init__(self) -> None:
        checked.append(self)


def apply(block: Any, x: Array) -> Array:
    """Apply one layer of the models in `schemas/stacks.pyi`."""
    hidden = jnp.tanh(x @ block.up.w + block.up.b)
    x = x + (hidden @ block.down.w + block.down.b) * block.rates.rate
    for linear in block.pair:
        x = x @ linear.w + linear.b + block.start
    return jnp.divide(x, block.heads)


def scanned_loss(model: Any) -> Array:
    """Apply the layers to ones in a loop."""
    first = jnp.ones_like(model.gain)
    last, _ = jax.lax.scan(lambda x, block: (apply(block, x), None), first, model.blocks)
    return jnp.sum(last * model.gain)


def descended(model: Any, rate: Array) -> Any:
    """Take a step against the gradient of the weights."""
    up, gain = model.blocks.up, model.gain

    def loss(weights: Any) -> Array:
        w, g = weights
        blocks = model.blocks.replace(up=up.replace(w=w))
        return scanned_loss(model.replace(blocks=blocks, gain=g))

    w, g = jax.grad(loss)((up.w, gain))
    blocks = model.blocks.replace(up=up.replace(w=up.w - rate * w))
    return model.replace(blocks=blocks, gain=gain - rate * g)


def last_layer(blocks: Any) -> Any:
    """Return the last layer of a stack, and the stack."""
    return jax.tree.map(lambda leaf: leaf[-1], blocks), blocks


def one() -> int:
    """A factory. This and the following ones return types that the constructor converts."""
    return 1


def pair() -> tuple[int, int]:
    """Return numbers for `tuple[f32, float]`."""
    return 1, 1


def table() -> dict[str, int]:
    """Return a dict for `dict[str, float]`."""
    return {"a": 1}


def several() -> list[int]:
    """Return a list for `Sequence[f32]`."""
    return [1, 2]


def mapping() -> Mapping[str, int]:
    """Return a mapping for `Mapping[str, f32]`."""
    return MappingProxyType({"a": 1})


def keyed() -> dict[Any, Any]:
    """Return a dict with NumPy integers as keys, for `dict[int, f32]`."""
    return {np.int64(1): 1}


def weak() -> list[Array]:
    """Return a weakly typed array, for `list[f32]`."""
    return [jnp.asarray(1.0)]


def counted() -> Any:
    """Return a 64-bit NumPy array, for `f32[n]`."""
    return np.arange(3.0)
