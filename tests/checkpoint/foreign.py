"""Classes that no schema declares."""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
from jax import Array


class Pair(NamedTuple):
    """Two numbers under names."""

    first: object
    second: object


@dataclass(frozen=True)
class Options:
    """What somebody else's library takes."""

    rate: float
    names: tuple[str, ...] = ()


@functools.partial(jax.tree_util.register_dataclass, data_fields=["value"], meta_fields=["size"])
@dataclass
class Node:
    """A pytree of somebody else's."""

    value: Array
    size: int


def heating(x: Array) -> Array:
    """Heat by one."""
    return x + 1
