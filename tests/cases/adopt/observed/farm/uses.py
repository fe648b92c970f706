"""A use is in a line that runs, or in one that does not run."""

import dataclasses
import functools
from typing import Any, Callable, NamedTuple

import chex
import jax
from flax import struct
from jax_md import dataclasses as jmd


@chex.dataclass
class State:
    key: chex.Array
    step: chex.Array


@chex.dataclass
class Wrapped:
    key: chex.Array
    step: chex.Array
    extra: chex.Array


def wrap(other, extra):
    return Wrapped(**other, extra=extra)


@chex.dataclass(frozen=True)
class Big:
    key: chex.Array
    other: chex.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Box:
    u: jax.Array


class Crate:
    def __init__(self):
        self.u = 0

    def fill(self, u):
        self.u = u


def poke(box: Box, u):
    box.u = u


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Tin:
    w: jax.Array


def poke_tin(tin, w):
    tin.w = w


@struct.dataclass
class Table:
    u: jax.Array

    def as_dict(self):
        return dict(self.__dict__)


@struct.dataclass
class Shown:
    u: jax.Array


@struct.dataclass
class Hidden:
    u: jax.Array


def show(x):
    return vars(x)


@jmd.dataclass
class Fluid:
    rho: jax.Array

    def denser(self):
        return self.set(rho=self.rho + 1)


@struct.dataclass
class Weird:
    u: jax.Array


@struct.dataclass
class Weirder(Weird):
    w: jax.Array


@struct.dataclass
class Cached:
    u: jax.Array

    @functools.cached_property
    def total(self):
        return self.u.sum()

    def as_dict(self):
        return dict(self.__dict__)


@struct.dataclass
class Plain:
    def as_dict(self):
        return dict(self.__dict__)


@struct.dataclass
class Listed(Plain):
    u: jax.Array


class Ordinary:
    def as_dict(self):
        return dict(self.__dict__)


@struct.dataclass
class Stored(Ordinary):
    u: jax.Array


class Node(struct.PyTreeNode):
    u: jax.Array


class Leafless(struct.PyTreeNode):
    u: jax.Array


def is_node(one: Node) -> bool:
    return isinstance(one, struct.PyTreeNode)


class Pair(NamedTuple):
    first: jax.Array
    second: jax.Array


class Couple(NamedTuple):
    first: jax.Array
    second: jax.Array


def pair(u: jax.Array):
    if u is None:
        return
    return Pair(u, u)


def sum_pair(u: jax.Array) -> jax.Array:
    first, second = pair(u)
    return first + second


class Field:
    def pair(self, u: jax.Array) -> Couple:
        return Couple(u, u)

    def sum(self, u: jax.Array) -> jax.Array:
        first, second = self.pair(u)
        return first + second


@struct.dataclass
class Unseen:
    function: Callable = struct.field(pytree_node=False)
