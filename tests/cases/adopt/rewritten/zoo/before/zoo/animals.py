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


@struct.dataclass
class Bear(Called):
    weight: float  # [kg]
    age: jax.Array
    name: str = struct.field(pytree_node=False, default="bear")
    optimizer: Any = struct.field(pytree_node=False, default=None)

    def apply(self, x):
        return x * self.weight

    def __post_init__(self):
        if isinstance(self.weight, float) and self.weight < 0:
            raise ValueError("weight")


@struct.dataclass
class Cub(Bear):
    mother: Any = None

    def apply(self, x):
        return super(Cub, self).apply(x) + super().apply(x)


class Node(struct.PyTreeNode):
    value: int = 0
    cubs: tuple = ()


@chex.dataclass(frozen=True)
class Fox:
    tail: chex.Array
    ears: chex.Array

    def grown(self):
        return self.replace(tail=self.tail + 1)

    def names(self):
        return list(dict(self.__dict__))


@chex.dataclass(frozen=True)
class Vixen(Fox):
    """Its leaves are sorted too, and `cubs` is the first."""

    cubs: chex.Array
    shade: chex.Array = 1.0


@chex.dataclass(frozen=True)
class Mapped:
    tail: chex.Array


class Owl(eqx.Module):
    wings: jax.Array
    call: Callable = eqx.field(static=True)
    shape: tuple[int, ...] = eqx.field(static=True, converter=to_tuple, default=(1,))

    def __check_init__(self):
        assert len(self.shape) < 3

    def __call__(self, x):
        return self.call(self.wings * x)


class Wolf(eqx.Module):
    """It has its own constructor."""

    legs: jax.Array
    pups: Any
    names: tuple[str, ...] = eqx.field(static=True, converter=to_tuple, default=("w",))

    def __init__(self, count, *, pups=0):
        self.legs = jnp.zeros(count)
        self.pups = []
        for _ in range(pups):
            self.pups.append(Wolf(count))
        if pups:
            self.names = self.named(pups)

    def named(self, pups):
        return [f"w{len(self.legs)}", str(pups)]


class Pack(Wolf):
    leader: Wolf

    def __init__(self, count):
        super().__init__(count, pups=1)
        self.leader = Wolf(count)


class Large(Pack):
    """It inherits the constructor."""

    def size(self):
        return len(self.pups)


class Lost(eqx.Module):
    """Its base has another constructor."""

    x: jax.Array


class Found(Lost):
    y: jax.Array

    def __init__(self, y):
        super().__init__(jnp.ones(1))
        self.y = y


@struct.dataclass
class Counted:
    """JAX calls its constructor."""

    x: jax.Array

    def __init__(self, x):
        object.__setattr__(self, "x", x + 1)


@dataclasses.dataclass(frozen=True, eq=False)
class Cage(StaticDataclass):
    bars: int = 3
    dtype: Any = jnp.float32


@dataclasses.dataclass(frozen=True)
class House:
    cage: Cage = Cage(bars=4)
    names: tuple[str, ...] = ("a", "b")


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Keywords:
    x: Any
    _: dataclasses.KW_ONLY
    y: Any = 1.0


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
