"""Annotations that agree with the observed values, and those of objects that were not observed."""

from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp
from flax import struct


class Reading(NamedTuple):
    u: jax.Array
    w: jax.Array


@struct.dataclass
class Measured:
    reading: Reading
    maybe: Reading = None
    dtype: jnp.dtype = struct.field(pytree_node=False, default=jnp.float32)
    function: Callable = struct.field(pytree_node=False, default=None)
    scale: jax.Array = 1.0


@struct.dataclass
class Unseen:
    u: jax.Array
    late: jax.Array = None
    f: float = 1.0
    name: str = struct.field(pytree_node=False, default="unseen")
