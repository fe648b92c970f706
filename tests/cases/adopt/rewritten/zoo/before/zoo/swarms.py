"""Bases of classes that stay, because they also derive from a class of mjx."""

from typing import Optional

import jax
from flax import struct


@struct.dataclass
class Moving:
    def __neg__(self):
        return jax.tree.map(lambda x: -x, self)


@struct.dataclass
class Place(Moving):
    u: jax.Array


@struct.dataclass
class Swarm:
    """A swarm."""

    place: Place
    queen: Optional[jax.Array]


@struct.dataclass
class Hive:
    swarm: Swarm


# It has a method, which a class that stays would lose.
@struct.dataclass
class Crowd:
    place: Place

    def first(self):
        return self.place.u[0]


class Loud:
    def first(self):
        return "loud"


@struct.dataclass
class Flock:
    u: jax.Array

    def first(self):
        return self.u[0]


# The method of the first base would be hidden.
@struct.dataclass
class Swans(Flock, Loud):
    v: jax.Array


def table(place: Place):
    return dict(vars(place))
