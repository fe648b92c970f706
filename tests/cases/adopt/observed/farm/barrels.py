"""The `if` between the imports goes with the class that uses it, and other code takes `Optional`."""

from typing import TYPE_CHECKING, Optional, Union

from chex import Array

if TYPE_CHECKING:
  from dataclasses import dataclass
else:
  from chex import dataclass

import jax

from farm.layers import LastLayer


@dataclass(frozen=True)
class Barrel:
  u: Optional[jax.Array]
  last: Union[LastLayer, None]


def fill(u: Array) -> Barrel:
  return Barrel(u=jax.numpy.asarray(u), last=LastLayer(u))
