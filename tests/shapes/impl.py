"""What the schemas of these tests name."""

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
    """From 0, whatever the key."""
    return jnp.arange(shape[0], dtype=dtype)


def wrong_shape(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """One element too many."""
    return jax.random.normal(key, (shape[0] + 1,), dtype)


def wrong_dtype(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    """Of the declared kind, and not of the dtype asked for."""
    return jnp.ones(shape, "float16")


def upper(name: str) -> str:
    """A converter."""
    return name.upper()


class Checked:
    """A mixin that looks at new objects."""

    __slots__ = ()

    def __check_init__(self) -> None:
        checked.append(self)


def apply(block: Any, x: Array) -> Array:
    """One layer of the models in `schemas/stacks.pyi`."""
    hidden = jnp.tanh(x @ block.up.w + block.up.b)
    x = x + (hidden @ block.down.w + block.down.b) * block.rates.rate
    for linear in block.pair:
        x = x @ linear.w + linear.b + block.start
    return jnp.divide(x, block.heads)


def scanned_loss(model: Any) -> Array:
    """What the layers make of ones, one after the other in a loop."""
    first = jnp.ones_like(model.gain)
    last, _ = jax.lax.scan(lambda x, block: (apply(block, x), None), first, model.blocks)
    return jnp.sum(last * model.gain)


def unrolled_loss(model: Any) -> Array:
    """The same, written out layer by layer."""
    x = jnp.ones_like(model.gain)
    for block in model.blocks:
        x = apply(block, x)
    return jnp.sum(x * model.gain)


def descended(model: Any, rate: Array) -> Any:
    """A step against the gradient of the weights."""
    up, gain = model.blocks.up, model.gain

    def loss(weights: Any) -> Array:
        w, g = weights
        blocks = model.blocks.replace(up=up.replace(w=w))
        return scanned_loss(model.replace(blocks=blocks, gain=g))

    w, g = jax.grad(loss)((up.w, gain))
    blocks = model.blocks.replace(up=up.replace(w=up.w - rate * w))
    return model.replace(blocks=blocks, gain=gain - rate * g)


def last_layer(blocks: Any) -> Any:
    """The last of a stack, and the stack."""
    return jax.tree.map(lambda leaf: leaf[-1], blocks), blocks


def one() -> int:
    """What a factory makes, here and below: of types that a constructor brings to others."""
    return 1


def pair() -> tuple[int, int]:
    """Numbers for `tuple[f32, float]`."""
    return 1, 1


def table() -> dict[str, int]:
    """A dict for `dict[str, float]`."""
    return {"a": 1}


def several() -> list[int]:
    """A list for `Sequence[f32]`."""
    return [1, 2]


def mapping() -> Mapping[str, int]:
    """A mapping for `Mapping[str, f32]`."""
    return MappingProxyType({"a": 1})


def keyed() -> dict[Any, Any]:
    """NumPy's integers for keys of `dict[int, f32]`."""
    return {np.int64(1): 1}


def weak() -> list[Array]:
    """A weakly typed array for `list[f32]`."""
    return [jnp.asarray(1.0)]


def counted() -> Any:
    """An array of NumPy, with 64 bits, for `f32[n]`."""
    return np.arange(3.0)
