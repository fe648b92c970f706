# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def, untyped-decorator"
# pyright: basic
"""The states of `benchmarks.calls` in other libraries."""

from __future__ import annotations

import dataclasses
from typing import Any

import equinox
import jax
from flax import nnx, struct

from benchmarks.calls_model import changed


def plain(name: str, data: list[str], static: list[str]) -> type[Any]:
    """Define a frozen dataclass with JAX's `register_dataclass`."""
    cls = dataclasses.make_dataclass(name, [*data, *static], frozen=True)
    return jax.tree_util.register_dataclass(cls, data, static)


def flax_struct(name: str, data: list[str], static: list[str]) -> type[Any]:
    """Define a flax dataclass."""
    fields: dict[str, Any] = {each: struct.field(pytree_node=False) for each in static}
    annotations = dict.fromkeys([*data, *static], Any)
    return struct.dataclass(type(name, (), {"__annotations__": annotations, **fields}))


def module(name: str, data: list[str], static: list[str]) -> type[Any]:
    """Define an equinox module."""
    fields: dict[str, Any] = {each: equinox.field(static=True) for each in static}
    annotations = dict.fromkeys([*data, *static], Any)
    return type(equinox.Module)(name, (equinox.Module,), {"__annotations__": annotations, **fields})


class Mutable(nnx.Module):
    """A flax.nnx module that a step changes in place."""

    def __init__(self, **given: Any) -> None:
        for name, value in given.items():
            setattr(self, name, nnx.Param(value) if isinstance(value, jax.Array) else value)

    def advance(self) -> None:
        """Change the donated fields, also in the parts."""
        for name, value in list(vars(self).items()):
            if name.startswith("d"):
                value[...] = changed(value[...])
            elif isinstance(value, Mutable):
                value.advance()


@nnx.jit
def in_place(states: tuple[Mutable, ...]) -> None:
    """Advance several states in place."""
    for state in states:
        state.advance()
