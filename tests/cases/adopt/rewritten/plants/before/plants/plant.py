from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import pi

import jax
import jax.numpy as jnp
import jax.tree_util as tu

from plants.base import Pair, Part, Scheme, identity, zeros


@tu.register_dataclass
@dataclass(frozen=True)
class Boiler(Part):
    count: "float | jax.Array" = 0  # declared anew, with another type
    heat: jax.Array = field(default_factory=zeros)
    start: jax.Array = field(default_factory=lambda: jnp.ones(2))
    angle: float = 2 * pi
    shape: tuple[int, ...] = field(default=(2, 3), metadata=dict(static=True))
    curve: object = field(default=identity, metadata={"static": True})
    extra: dict = field(default_factory=dict)

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


@dataclass(frozen=True)
class Config:
    order: int = 2
    rate: float = 1  # an int where a float is said
    name: str = "a \"b\""


@partial(tu.register_dataclass, data_fields=["parts", "pair", "maybe", "by_name", "rows", "odd", "limit"], meta_fields=["config"])
@dataclass(frozen=True)
class Plant:
    parts: tuple[Boiler, ...]
    config: Config
    pair: Pair
    maybe: float = 0.0
    by_name: dict[str, Part] = field(default_factory=dict)
    rows: list[jax.Array] | None = None
    odd: list[jax.Array] | None = None  # which holds a number too
    limit: float = field(default_factory=Part.limit)

    def total(self) -> jax.Array:
        return sum(part.level for part in self.parts)

    def merged(self, other: Plant) -> Plant:
        return replace(self, parts=self.parts + other.parts)


# A comment above a base without fields.
@tu.register_dataclass
@dataclass(frozen=True)
class Shown:
    """What derives from it need not be adopted with it."""

    def shown(self):
        return type(self).__name__


@tu.register_dataclass
@dataclass(frozen=True)
class Wall(Shown):
    heat: jax.Array
    mass: jax.Array  # one for each of the heat's
    sides: jax.Array
    links: jax.Array


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
