"""Only classes that are taken out use these imports, but the modules must be imported first."""

import jax
from flax import struct

from farm import kinds, saved
from farm.layers import (  # many names
    MLP,
    LastLayer,
)


@struct.dataclass
class Crate:
  soil: saved.Soil
  last: LastLayer
  mlp: MLP
  log: kinds.Log
  u: jax.Array
EMPTY = kinds.Measured
