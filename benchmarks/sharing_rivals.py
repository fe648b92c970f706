# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def"
# pyright: basic
"""The model of `benchmarks.sharing` as flax.nnx has it: modules are a graph, changed in place."""

from __future__ import annotations

from typing import Any

import jax
from flax import nnx


class Table(nnx.Module):
    """What is shared."""

    def __init__(self, rows: jax.Array, scale: jax.Array) -> None:
        self.rows, self.scale = nnx.Param(rows), nnx.Param(scale)


class Block(nnx.Module):
    """What holds it."""

    def __init__(self, table: Table, weight: jax.Array, bias: jax.Array) -> None:
        self.table = table
        self.weight, self.bias = nnx.Param(weight), nnx.Param(bias)


class Model(nnx.Module):
    """All of it."""

    def __init__(self, table: Table, *blocks: Block) -> None:
        self.table = table
        self.a, self.b, self.c, self.d, self.e = blocks


def step(model: Any) -> None:
    """Change one array, in place."""
    model.a.bias[...] *= 0.5
