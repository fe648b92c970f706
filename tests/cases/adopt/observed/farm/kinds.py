"""Annotations that agree with the observed values, and those of objects that were not observed."""

import dataclasses
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


@dataclasses.dataclass
class Log:
    """It stays, and its annotations name a class that is imported below."""

    first: Measured
    later: "Measured | None" = None

    def last(self, *others: Measured) -> Measured:
        def chosen(one: Measured) -> Measured:
            return one

        return chosen([self.later or self.first, *others][-1])


@struct.dataclass
class Unseen:
    u: jax.Array
    late: jax.Array = None
    f: float = 1.0
    name: str = struct.field(pytree_node=False, default="unseen")

    def size(self) -> int:
        return self.u.size


@struct.dataclass
class Mapped:
    """Code that the command does not run gives other values to its fields."""

    rows: jax.Array
    same: jax.Array
    many: jax.Array = 1.0
    title: str = struct.field(pytree_node=False, default="")


def add_rows(one: Mapped) -> jax.Array:
    axes = Mapped(0, same=None).replace(title=None).replace(title=one.title)
    return jax.vmap(lambda row: row.rows + row.same, in_axes=(axes.replace(many=None),))(one)
