"""A class with a bug, which only a command that constructs it can confirm."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Limits(NamedTuple):
    low: float
    high: float


class Algorithm:
    def __init__(self, limits):
        self.limits = limits
        self.elite_ratio = 0.5

    @functools.partial(jax.jit, static_argnames=("self",))
    def tell(self, fitness):
        return self.elite_ratio * jnp.clip(fitness, *self.limits)
