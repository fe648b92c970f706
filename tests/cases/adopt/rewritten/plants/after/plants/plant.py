from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import pi

import jax
import jax.numpy as jnp
import jax.tree_util as tu

from plants.base import Pair, Part, Scheme, identity, zeros


class _BoilerMethods:
    def __call__(self, x):
        return self.curve(x) * self.angle

    def __add__(self, other: "Boiler") -> "Boiler":
        return replace(self, level=self.level + other.level)

    @staticmethod
    def unit():
        return "K"

    @cached_property
    def twice(self):
        return 2 * self.level


class _PlantMethods:
    __slots__ = ()

    def total(self) -> jax.Array:
        return sum(part.level for part in self.parts)

    def merged(self, other: Plant) -> Plant:
        return replace(self, parts=self.parts + other.parts)


# A comment above a base without fields.
class Shown:
    """What derives from it need not be adopted with it."""

    def shown(self):
        return type(self).__name__


class _WallMethods(Shown):
    __slots__ = ()


def _boiler_start_default():
    return jnp.ones(2)


def _plant_limit_default():
    return Part.limit()


from plants._generated.plant import Boiler, Config, Plant, Wall  # noqa: E402


DEFAULT = Config(order=3)


@partial(jax.jit, static_argnames="config")
def step(plant: Plant, config: Config):
    return replace(plant, parts=tuple(part.stepped() for part in plant.parts))


# A class that is left as it is, since it has a constructor.
@tu.register_dataclass
@dataclass(frozen=True)
class Odd(Shown):
    x: jax.Array

    def __init__(self, y):
        object.__setattr__(self, "x", y + 1)
