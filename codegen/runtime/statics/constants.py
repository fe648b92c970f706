# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Constant arrays: NumPy arrays that nobody can write to, hashed once.

    table = as_constant(np.ones(3, np.float32), "float32", Plate, "table")
    table.setflags(write=True)      # ValueError: its memory is a bytes object
    constant_tag(table)             # ('float32', (3,), b'...')

The bytes are its tag as well, so an array is never copied or hashed twice.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from ..classes.arrays import NUMBERS, as_number
from ..converters import is_plain
from ..keys.messages import Owner, mismatch
from ..keys.names import canonical, matches
from .advice import instead


def as_constant(
    value: object, declared: str, owner: Owner, path: str
) -> np.ndarray[Any, Any]:
    """Copy an array of the declared dtype, or kind, into read-only memory."""
    expected = f"a constant array of {declared}"
    if type(value) in NUMBERS:
        value = np.asarray(as_number(value, declared, owner, path))
    if isinstance(value, np.generic) and type(value) is value.dtype.type:
        value = np.asarray(value)
    if type(value) is not np.ndarray:
        remedy = _remedy(value) or instead(value, owner, ["array"])
        raise mismatch(value, owner, path, expected, remedy)
    if not is_plain(value.dtype):
        remedy = "such elements cannot be compared by their bytes"
        raise mismatch(value, owner, path, expected, remedy)
    if not matches(value.dtype, declared):
        remedy = f"convert it, as `numpy.asarray(..., {declared!r})`"
        raise mismatch(value, owner, path, expected, remedy)
    return freeze(value)


def freeze(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array whose memory is a bytes object, with the same elements."""
    dtype = canonical(value.dtype)
    data: Any = value.base
    if not is_frozen(value):
        data = value.astype(dtype, order="C", copy=False).tobytes()
    # Always a new array: its owner may set the shape of one in place.
    return np.ndarray(value.shape, dtype, buffer=data)


def is_frozen(value: np.ndarray[Any, Any]) -> bool:
    """Tell whether an array is exactly a bytes object's memory, in order."""
    memory: Any = value.base
    return (
        type(memory) is bytes
        and value.flags.c_contiguous
        and not value.flags.writeable
        and len(memory) == value.nbytes
        and value.dtype.char == canonical(value.dtype).char
        and value.dtype.isnative
        and value.dtype.metadata is None
    )


def constant_tag(value: np.ndarray[Any, Any] | None) -> Hashable:
    """Return the exact tag of a frozen array: its dtype, shape and bytes.

    The bytes are the array's own memory, and a bytes object remembers its hash.
    """
    if value is None:
        return None
    return value.dtype.name, value.shape, value.base


def _remedy(value: object) -> str:
    if isinstance(value, np.ndarray):
        return "give `numpy.array(...)` of it, without a subclass"
    if isinstance(value, list | tuple):
        return "give `numpy.array(...)` of it, with its dtype"
    return ""
