"""A class of each library, and tuples."""

import dataclasses
from functools import partial
from typing import Any, Callable, NamedTuple

import chex
import equinox as eqx
import jax
import jax.numpy as jnp
from flax import struct
from torax._src.static_dataclass import StaticDataclass


def to_tuple(values):
    return tuple(values)


class Called:
    """A mixin with `__call__`."""

    def __call__(self, x):
        return self.apply(x)


class _BearMethods(Called):
    __slots__ = ()

    def apply(self, x):
        return x * self.weight

    def __check_init__(self):
        if isinstance(self.weight, float) and self.weight < 0:
            raise ValueError("weight")


class _CubMethods:
    __slots__ = ()

    def apply(self, x):
        return super(_CubMethods, self).apply(x) + super().apply(x)


class _FoxMethods:
    __slots__ = ()

    def grown(self):
        return self.replace(tail=self.tail + 1)


class _OwlMethods:
    __slots__ = ()

    def __check_init__(self):
        assert len(self.shape) < 3

    def __call__(self, x):
        return self.call(self.wings * x)


class _KeywordsMethods:
    __slots__ = ()
    _: dataclasses.KW_ONLY


_cage_dtype_default_value = jnp.float32


def _cage_dtype_default():
    return _cage_dtype_default_value


from zoo._generated.animals import (  # noqa: E402
    Bear,
    Cage,
    Cub,
    Fox,
    House,
    Keywords,
    Mapped,
    Node,
    Owl,
)


class Step(NamedTuple):
    loss: jax.Array
    count: Any = 0

    def halved(self):
        return Step(self.loss / 2, self.count)


class Pair(NamedTuple):
    """It is unpacked."""

    one: Any
    two: Any


class _Hidden(NamedTuple):
    x: Any

    def twice(self):
        return 2 * self.x


class Hidden(NamedTuple):
    """Its mixin has another name than that of `_Hidden`."""

    x: Any

    def twice(self):
        return 3 * self.x


@partial(jax.jit, static_argnames=("cage", "house"))
def fed(fox: Fox, cage: Cage, house: House = House()):
    return fox.replace(tail=(fox.tail * cage.bars * house.cage.bars).astype(cage.dtype))
