"""A generated subclass, and subclasses that mjx registers."""

import jax
from flax import struct
from mujoco import mjx

from zoo import swarms


@struct.dataclass
class Swarm(swarms.Swarm):
    honey: jax.Array


class FarSwarm(swarms.Swarm, mjx.Data):
    """A swarm of mjx."""


class FarCrowd(swarms.Crowd, mjx.Data):
    """A crowd of mjx."""
