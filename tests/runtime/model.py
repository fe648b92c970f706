"""Implementations for the sample. `traces` counts the traces of each."""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    from jax import Array

    from tests.runtime.sample import Bag, Linear, Plate

traces: collections.Counter[str] = collections.Counter()


def step(plate: Plate, dt: Array, n: int) -> Plate:
    traces["step"] += 1
    first = dataclasses.replace(plate.first, w=plate.first.w * 2)
    u = plate.u
    for _ in range(n):
        u = u + dt * plate.alpha
    return dataclasses.replace(plate, u=u, first=first, t=plate.t + dt)


def total(first: Linear, second: Linear | None) -> Array:
    traces["total"] += 1
    result = first.w.sum() + first.b.sum()
    return result if second is None else result + second.w.sum()


def double(x: Array) -> Array:
    return x * 2


def doubled(bag: Bag) -> Bag:
    return jax.tree.map(lambda x: x * 2, bag)
