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


class _PlateMethods:
  __slots__ = ()

  def energy(self):
    # A comment in a method.
    return jnp.sum(self.u)  # and behind it

  @property
  def size(self) -> "int":
    return self.u.size


class _SolverMethods:
  __slots__ = ()


  def __check_init__(self):
    assert self.order


class Step(NamedTuple):
  loss: jax.Array


class _AssignedMethods:
  __slots__ = ()

  def with_x(self: "Assigned", x) -> "Assigned":
    return dataclasses.replace(self, x=x)


from heat._generated.kinds import Assigned, Called, Plate, Solver, Source  # noqa: E402


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


def use(plate: Plate) -> Plate:
  return plate
