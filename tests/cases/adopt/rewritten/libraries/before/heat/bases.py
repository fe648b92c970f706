"""A class with a method, so the generated module imports this one."""

import jax
from flax import struct


@struct.dataclass
class Base:
    u: jax.Array

    def total(self) -> jax.Array:
        return self.u.sum()
