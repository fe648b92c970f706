"""Classes with a bug: a program must confirm each of them."""

from __future__ import annotations

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct


@struct.dataclass
class Motion:
    ang: jax.Array
    vel: jax.Array


@struct.dataclass
class Force:
    ang: jax.Array
    vel: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Stages:
    u: jax.Array
    rates: list[float] = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class ForceField:
    shift: jax.Array
    upper: jax.Array
    cutoff: np.ndarray = dataclasses.field(metadata={"static": True})


class Environment:
    def __init__(self, rows: int = 10) -> None:
        self.rows = rows

    @functools.partial(jax.jit, static_argnames=("self",))
    def reset(self, key: jax.Array) -> jax.Array:
        return self.rows * jax.random.uniform(key)


class HashedArray:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __hash__(self) -> int:
        return hash(tuple(self.array.flatten().tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashedArray) and hash(self) == hash(other)


@dataclasses.dataclass(frozen=True)
class Terrain:
    name: str
    height: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terrain) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@struct.dataclass
class Transport:
    chi: jax.Array
    flux: jax.Array | None = None
    pinch: jax.Array | None = None

    def __post_init__(self) -> None:
        if self.flux is None:
            object.__setattr__(self, "flux", jnp.zeros(self.chi.shape))


@struct.dataclass
class QuantizedArray:
    qvalue: jax.Array
    scale: jax.Array
    zero_point: jax.Array | None = None
    bias: jax.Array | None = None
    qtype: str | None = struct.field(pytree_node=False, default=None)

    def __post_init__(self) -> None:
        if self.qtype is None:
            object.__setattr__(self, "qtype", str(self.qvalue.dtype))
