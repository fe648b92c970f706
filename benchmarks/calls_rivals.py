# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def"
# pyright: basic
"""The state of `benchmarks.calls` as other libraries have it."""

from __future__ import annotations

import dataclasses
from typing import Any

import equinox
import jax
from flax import nnx, struct

from benchmarks import calls_model


class Module(equinox.Module):
    """The state as a module of equinox."""

    a: jax.Array
    b: jax.Array
    c: jax.Array
    d: jax.Array
    e: jax.Array
    f: jax.Array
    g: jax.Array
    h: jax.Array
    i: jax.Array
    j: jax.Array
    order: int = equinox.field(static=True, default=2)
    scale: float = equinox.field(static=True, default=0.5)
    name: str = equinox.field(static=True, default="state")

    def replace(self, **changes: Any) -> Module:
        """Return a copy with other fields."""
        return dataclasses.replace(self, **changes)


def make(kind: type[Any], arrays: list[jax.Array]) -> Any:
    """Make a state of ten arrays."""
    names = calls_model.DONATED + calls_model.DYNAMIC
    return kind(**dict(zip(names, arrays, strict=True)))


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Plain:
    """The state as a dataclass that JAX itself registers."""

    a: jax.Array
    b: jax.Array
    c: jax.Array
    d: jax.Array
    e: jax.Array
    f: jax.Array
    g: jax.Array
    h: jax.Array
    i: jax.Array
    j: jax.Array
    order: int = dataclasses.field(default=2, metadata={"static": True})
    scale: float = dataclasses.field(default=0.5, metadata={"static": True})
    name: str = dataclasses.field(default="state", metadata={"static": True})

    def replace(self, **changes: Any) -> Plain:
        """Return a copy with other fields."""
        return dataclasses.replace(self, **changes)


@struct.dataclass
class Struct:
    """The state as a dataclass of flax."""

    a: jax.Array
    b: jax.Array
    c: jax.Array
    d: jax.Array
    e: jax.Array
    f: jax.Array
    g: jax.Array
    h: jax.Array
    i: jax.Array
    j: jax.Array
    order: int = struct.field(pytree_node=False, default=2)
    scale: float = struct.field(pytree_node=False, default=0.5)
    name: str = struct.field(pytree_node=False, default="state")


class Mutable(nnx.Module):
    """The state as a module of flax.nnx, which a step changes in place."""

    def __init__(self, *arrays: jax.Array) -> None:
        for name, array in zip(calls_model.DONATED + calls_model.DYNAMIC, arrays, strict=True):
            setattr(self, name, nnx.Param(array))
        self.order, self.scale, self.name = 2, 0.5, "state"


def half(state: Any) -> None:
    """Change the donated fields in place."""
    for to, by in zip(calls_model.DONATED, calls_model.DYNAMIC, strict=True):
        getattr(state, to)[...] += state.scale * getattr(state, by)[...]


def whole(state: Any) -> None:
    """Change all ten fields in place."""
    half(state)
    for name in calls_model.DYNAMIC:
        getattr(state, name)[...] *= state.scale
