"""Classes whose objects are pickled."""

import dataclasses

import chex
import equinox as eqx
import jax
from flax import struct


@struct.dataclass
class Soil:
    u: jax.Array
    n: int = struct.field(pytree_node=False, default=3)

    def replace(self, **changes):
        """Return a copy with other fields."""
        return dataclasses.replace(self, **changes)

    @classmethod
    def init(cls, u):
        return cls(u, n=1)


@chex.dataclass(frozen=True)
class Rain:
    w: jax.Array
    ϵ: jax.Array

    def ﬁt(self):
        return self.ϵ


class Field(eqx.Module):
    soil: Soil
    rain: Rain
    n: int = eqx.field(static=True)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, slots=True)
class Plant:
    u: jax.Array
    n: int = dataclasses.field(metadata={"static": True}, default=2)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Seed:
    n: int = dataclasses.field(metadata={"static": True}, default=2)
