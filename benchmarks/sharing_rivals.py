# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def"
# pyright: basic
"""The model of `benchmarks.sharing` in flax.nnx: modules form a graph that is changed in place."""

from __future__ import annotations

from typing import Any

import jax
from flax import nnx


class Table(nnx.Module):
    """The shared table."""

    def __init__(self, rows: jax.Array, scale: jax.Array) -> None:
        self.rows, self.scale = nnx.Param(rows), nnx.Param(scale)


class Block(nnx.Module):
    """A block that holds the table."""

    def __init__(self, table: Table, weight: jax.Array, bias: jax.Array) -> None:
        self.table = table
        self.weight, self.bias = nnx.Param(weight), nnx.Param(bias)


class Model(nnx.Module):
    """The whole model."""

    def __init__(self, table: Table, *blocks: Block) -> None:
        self.table = table
        self.a, self.b, self.c, self.d, self.e = blocks


def step(model: Any) -> None:
    """Change one array in place."""
    model.a.bias[...] *= 0.5
