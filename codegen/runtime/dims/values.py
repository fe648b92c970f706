# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What stands in the place of an array, and what is known of it."""

import importlib
import operator
import zlib
from typing import Any, Final

import jax
import jax.numpy as jnp

from ..shapes.declared import AnyOf

NUMBERS: Final[dict[str, type[Any]]] = {
    "b": bool,
    "i": int,
    "f": float,
    "c": complex,
}


def inner(shape: Any) -> Any:
    """Return what a value that may be None is otherwise."""
    if isinstance(shape, AnyOf):
        return next((one for one in shape.options if one is not None), None)
    return shape


def is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex) or hasattr(value, "dtype")


def abstracted(leaf: Any) -> Any:
    if isinstance(leaf, jax.ShapeDtypeStruct) or not is_number(leaf):
        return leaf
    return jax.eval_shape(jnp.asarray, leaf)


def struct_of(shape: tuple[int, ...], dtype: Any) -> Any:
    struct: Any = jax.ShapeDtypeStruct
    return struct(shape, dtype)


def imported(path: str) -> Any:
    """Return what stands at "module:function"."""
    module, _, attribute = path.partition(":")
    return operator.attrgetter(attribute)(importlib.import_module(module))


def hashed(name: str) -> int:
    """Return 32 bits that stand for a name, in every process and on every machine."""
    return zlib.crc32(name.encode())
