"""A test fails with one of these generated classes, and its exception names no class."""

import jax
from flax import struct


@struct.dataclass
class Hay:
    u: jax.Array


@struct.dataclass
class Straw:
    u: jax.Array


@struct.dataclass
class Cow:
    hay: Hay
    straw: Straw


@struct.dataclass
class Cat:
    u: jax.Array


def feed(u):
    return Cow(Hay(u), Straw(u))
