"""The import of these classes has many names, and other code than a class is below it."""

import jax
from flax import struct

NAMES = ("LastLayer", "ORBLayer")


@struct.dataclass
class ORBLayer:
  u: jax.Array


@struct.dataclass
class Orb:
  u: jax.Array


@struct.dataclass
class MLP:
  u: jax.Array


@struct.dataclass
class Layer10:
  u: jax.Array


@struct.dataclass
class Layer9:
  u: jax.Array


@struct.dataclass
class LastLayer:
  u: jax.Array

  def size(self) -> int:
    return self.u.size


# A section
# ---------


def layers(u) -> tuple:
  return MLP(u), Orb(u), Layer9(u), Layer10(u)
