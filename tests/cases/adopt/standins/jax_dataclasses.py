"""`jax_dataclasses`, in short."""

import dataclasses
import typing

import jax

T = typing.TypeVar("T")
Static = typing.Annotated[T, "static"]


def pytree_dataclass(cls):
    made = dataclasses.dataclass(frozen=True)(cls)
    hints = typing.get_type_hints(made, include_extras=True)
    static = [name for name, hint in hints.items() if "static" in typing.get_args(hint)]
    data = [name for name in hints if name not in static]
    return jax.tree_util.register_dataclass(made, data, static)
