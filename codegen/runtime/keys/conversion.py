"""Convert static values to their declared types, or report the class and field of a
wrong one.

if type(dx) is not float or dx != dx:
    dx = as_float(dx, cls, "dx")
key = trace_key(cls, (nx, dx), (nx, dx or repr(dx)))
"""

import cmath
import enum
import math
from collections.abc import Callable, Hashable
from typing import Any, Final

import jax
import numpy as np

from .messages import Owner, Text, mismatch, unfit
from .names import is_kind

# A default that is created for each object. It also marks a required value if Python's
# own check cannot be used, because JAX calls the constructor too.
MISSING: Final[Any] = Text("MISSING")


# Type checkers can narrow `nx is KEEP`, because an enum of one member is one value.
class Keep(enum.Enum):
    """The type of `KEEP`."""

    KEEP = enum.auto()

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = Keep.KEEP


class Converted:
    """A value that a field with `convert=` had before, and must get again unconverted."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


def check_init(obj: object) -> None:
    """Call the `__check_init__(self)` of every class of an object, bases first."""
    for cls in reversed(type(obj).__mro__):
        if "__check_init__" in vars(cls):
            vars(cls)["__check_init__"](obj)


def as_int(value: Any, owner: Owner, path: str) -> int:
    """Accept an int or a NumPy integer, but no bool and no IntEnum."""
    if type(value) is int or _is_numpy(value, np.integer):
        return int(value)
    raise mismatch(value, owner, path, "an int", _remedy(value, "int"))


def as_float(value: Any, owner: Owner, path: str, expected: str = "a float") -> float:
    """Accept a float, or an int or NumPy number that a float represents exactly."""
    is_whole = type(value) is int or _is_numpy(value, np.integer)
    if not (is_whole or type(value) is float or _is_numpy(value, np.floating)):
        name = "float" if expected == "a float" else "complex"
        raise mismatch(value, owner, path, expected, _remedy(value, name))
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number):
        return math.nan
    if number != (int(value) if is_whole else value):
        remedy = f"this value cannot be converted to {expected} without loss"
        raise unfit(value, owner, path, expected, remedy)
    return number


def as_complex(value: Any, owner: Owner, path: str) -> complex:
    """Accept a complex, or a Python or NumPy number that a complex represents exactly."""
    real, imag = value, 0.0
    if type(value) is complex or _is_numpy(value, np.complexfloating):
        number = complex(value)
        if not cmath.isnan(number) and number != value:
            remedy = "this value cannot be converted to a complex number without loss"
            raise unfit(value, owner, path, "a complex number", remedy)
        real, imag = number.real, number.imag
    real = as_float(real, owner, path, "a complex number")
    return complex(real, as_float(imag, owner, path))


def as_bool(value: object, owner: Owner, path: str) -> bool:
    """Accept a bool, or a `numpy.bool_`."""
    if type(value) is bool or type(value) is np.bool_:
        return bool(value)
    raise mismatch(value, owner, path, "a bool", _remedy(value, "bool"))


def as_str(value: object, owner: Owner, path: str) -> str:
    """Accept a str, but no subclass of it."""
    if type(value) is str:
        return value
    raise mismatch(value, owner, path, "a str", _remedy(value, "str"))


def as_bytes(value: object, owner: Owner, path: str) -> bytes:
    """Accept a bytes object, but no subclass."""
    if type(value) is bytes:
        return value
    remedies: dict[Any, str] = {
        str: "convert it with `.encode()`",
        bytearray: "use bytes",
    }
    raise mismatch(value, owner, path, "bytes", remedies.get(type(value), ""))


# The function that converts a static value to each scalar type.
SCALARS: Final[dict[type[Any], Callable[[Any, Owner, str], Any]]] = {
    int: as_int,
    float: as_float,
    bool: as_bool,
    complex: as_complex,
    str: as_str,
    bytes: as_bytes,
}


def _is_numpy(value: object, kind: type[Any]) -> bool:
    """Return whether a value is a NumPy scalar (including ml_dtypes) of an abstract
    kind.
    """
    return (
        isinstance(value, np.generic)
        and type(value) is value.dtype.type
        and value.dtype.kind != "m"
        and is_kind(value.dtype, kind)
    )


def _remedy(value: object, name: str) -> str:
    """Advise what to write if the Python type of this name is declared."""
    match value:
        case enum.Enum() if name != "bool":
            kind = type(value).__qualname__
            return f"pass its `.value`, or declare `{name} | {kind}`"
        case bytes() if name == "str":
            return "convert it with `.decode()`"
        case str() | int() | float() | np.generic() if name == "str":
            return "convert it with `str(...)`"
        case jax.Array() | np.ndarray() if name != "str":
            prefix = (
                f"convert it with `{name}(x.item())`, or " if value.size == 1 else ""
            )
            return f"{prefix}declare it dynamic"
        case _ if name == "bool":
            return "write True or False"
        case bool() | np.bool_():
            return "a bool is not a number; write 0 or 1"
        case float() if value.is_integer():
            return f"write {int(value)} if you mean that"
        case str() if value.replace(".", "", 1).strip("+-").isdecimal():
            return f"convert it with `{name}(...)`"
        case _:
            return ""


def float_tag(value: float | None) -> Hashable:
    """Return the tag of a canonical float (or None) in a field of that type."""
    return value or repr(value)


def is_same(one: object, other: object) -> bool:
    """Compare two static values as their keys do."""
    from ..statics.tagging import as_static

    try:
        tags = [as_static(value, "", "")[1] for value in (one, other)]
    except TypeError:
        return False  # no exact tag: compared by identity
    return tags[0] == tags[1]
