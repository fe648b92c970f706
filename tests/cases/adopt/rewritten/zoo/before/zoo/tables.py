"""Functions with the `__dict__` of an object in a local name: only the first function just reads it."""

from typing import Any

import jax
from flax import struct


@struct.dataclass
class Read:
    u: Any


def scaled(box: Read, weights):
    table = vars(box)
    assert "u" in table
    return jax.tree.map(lambda weight, u: weight * u, dict(weights), table)


@struct.dataclass
class Kept:
    u: Any


def keep(box: Kept):
    table = vars(box)
    return table


@struct.dataclass
class Extended:
    u: Any


def extend(box: Extended):
    table = vars(box)
    table |= {"v": 1}


@struct.dataclass
class Shared:
    u: Any


def share(box: Shared):
    global shared
    shared = vars(box)


@struct.dataclass
class Passed:
    u: Any


def pass_on(box: Passed, tree):
    table = vars(box)
    jax.tree.map(lambda weight, u: u.clear(), tree, table)
