#!/usr/bin/env python
# A licence, in two
# lines.
"""Classes of libraries: the source is read and rewritten, and never imported."""
import dataclasses
from typing import Any, Callable, NamedTuple, Optional

import chex
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.tree_util as tu
import jax_dataclasses as jdc
import numpy as np
from flax import struct
from jaxtyping import Float
from torax._src.static_dataclass import StaticDataclass


@chex.dataclass(frozen=True)
class Params:
  """Sorted by name, as chex has the leaves."""
  w: chex.Array
  b: Optional[chex.Array] = None  # type: ignore


@struct.dataclass
class Plate:
  u: Float[jax.Array, "n m"]
  params: Params  # weights
  apply: Callable[[Any], Any] = struct.field(pytree_node=False)
  other: "Solver | None" = None

  def energy(self):
    # A comment in a method.
    return jnp.sum(self.u)  # and behind it

  @property
  def size(self) -> "int":
    return self.u.size


class Solver(eqx.Module):
  order: int = eqx.field(static=True, converter=int)
  tolerance: float = 1e-3
  shape: np.ndarray = eqx.field(static=True, default=(1, 2))


  def __check_init__(self):
    assert self.order


@dataclasses.dataclass
class Called:
  x: jax.Array
  shape: tuple[int, ...] = ()


tu.register_dataclass(Called, data_fields=["x"], meta_fields=["shape"])


class Step(NamedTuple):
  loss: jax.Array


@jdc.pytree_dataclass
class Assigned:
  n: jdc.Static[int]
  x: jax.Array

  def with_x(self: "Assigned", x) -> "Assigned":
    return dataclasses.replace(self, x=x)


@dataclasses.dataclass
class Plain(Params):
  more: int = 0


@struct.dataclass
class Early:
  x: jax.Array

  def f(self, y=Called):
    return y


@dataclasses.dataclass(frozen=True)
class Bare:
  z: int = 0


@struct.dataclass
class OnBare(Bare):
  """It has a field of a dataclass that is no pytree."""
  x: jax.Array = None


class Source(StaticDataclass):
  scale: float = 1.0


def use(plate: Plate) -> Plate:
  return plate
