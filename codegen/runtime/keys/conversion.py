"""Bring static values to their declared types, or say by class and field why not.

if type(dx) is not float or isnan(dx):
    dx = as_float(dx, cls, "dx")
return intern_key(cls, (nx, float_tag(dx)), (nx, dx))
"""

import cmath
import dataclasses
import enum
import math
from collections.abc import Callable, Hashable
from typing import Any, Final

import jax
import numpy as np

from .messages import Owner, Text, mismatch, unfit
from .names import is_kind

# A default for what is made anew for each object; and for what a caller must give, where
# Python's own check cannot be used because JAX calls the constructor too.
MISSING: Final[Any] = Text("MISSING")


# Type checkers narrow `nx is KEEP`, because an enum of one member is one value.
class Keep(enum.Enum):
    """The type of `KEEP`."""

    KEEP = enum.auto()

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = Keep.KEEP


@dataclasses.dataclass(frozen=True, slots=True)
class Converted:
    """What a field with `convert=` has held before, and is to hold again."""

    value: Any


def check_init(obj: object) -> None:
    """Call the `__check_init__(self)` of every class of an object, bases first."""
    for cls in reversed(type(obj).__mro__):
        if "__check_init__" in vars(cls):
            vars(cls)["__check_init__"](obj)


def require(cls: type[Any], /, **given: Any) -> None:
    """Refuse a call of a constructor that leaves out what has no default."""
    missing = [name for name, value in given.items() if value is MISSING]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        raise TypeError(f"{cls.__qualname__}() is missing required arguments: {names}")


def as_int(value: Any, owner: Owner, path: str) -> int:
    """Take an int, or an integer of NumPy; no bool and no IntEnum."""
    if type(value) is int or _is_numpy(value, np.integer):
        return int(value)
    raise mismatch(value, owner, path, "an int", _remedy(value, "int"))


def as_float(value: Any, owner: Owner, path: str, expected: str = "a float") -> float:
    """Take a float, or an int or a number of NumPy that a float holds exactly."""
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
        raise unfit(value, owner, path, f"{expected}, which cannot hold it exactly")
    return number


def as_complex(value: Any, owner: Owner, path: str) -> complex:
    """Take a complex, or a number of Python or NumPy that a complex holds exactly."""
    real, imag = value, 0.0
    if type(value) is complex or _is_numpy(value, np.complexfloating):
        number = complex(value)
        if not cmath.isnan(number) and number != value:
            raise unfit(value, owner, path, "a complex, which is too narrow")
        real, imag = number.real, number.imag
    real = as_float(real, owner, path, "a complex number")
    return complex(real, as_float(imag, owner, path))


def as_bool(value: object, owner: Owner, path: str) -> bool:
    """Take a bool, or a `numpy.bool_`."""
    if type(value) is bool or type(value) is np.bool_:
        return bool(value)
    raise mismatch(value, owner, path, "a bool", _remedy(value, "bool"))


def as_str(value: object, owner: Owner, path: str) -> str:
    """Take a str, and no subclass of it."""
    if type(value) is str:
        return value
    raise mismatch(value, owner, path, "a str", _remedy(value, "str"))


def _is_numpy(value: object, kind: type[Any]) -> bool:
    """Tell whether a value is a NumPy scalar (ml_dtypes' too) of an abstract kind."""
    return (
        isinstance(value, np.generic)
        and type(value) is value.dtype.type
        and value.dtype.kind != "m"
        and is_kind(value.dtype, kind)
    )


def _remedy(value: Any, name: str) -> str:
    """Advise what to write where Python's type of this name is declared."""
    match value:
        case enum.Enum() if name != "bool":
            kind = type(value).__qualname__
            return f"declare `{name} | {kind}` for members of it, or give its `.value`"
        case bytes() if name == "str":
            return "give `.decode()` of it"
        case str() | int() | float() | np.generic() if name == "str":
            return "give `str(...)` of it"
        case jax.Array() | np.ndarray() if name != "str":
            made = (
                f"give `{name}(...)` of its `.item()`, or " if value.size == 1 else ""
            )
            return f"{made}make it dynamic"
        case _ if name == "bool":
            return "write True or False"
        case bool() | np.bool_():
            return "a bool is no number; write 0 or 1"
        case float() if value.is_integer():
            return f"write {int(value)}, if that is meant"
        case str() if value.replace(".", "", 1).strip("+-").isdecimal():
            return f"give `{name}(...)` of it"
        case _:
            return ""


def float_tag(value: float | None) -> Hashable:
    """Return the tag of a canonical float (or None) in a field of that type."""
    return value or repr(value)


@dataclasses.dataclass(slots=True)
class StaticHooks:
    """What is done with static values of any type: importing `converters` or `statics` sets it."""

    # From a value, its owner and its path to the canonical value and its exact tag.
    tag: Callable[[Any, Owner, str], tuple[Any, Hashable]] = lambda value, *_: (
        (value, (id(type(value)), repr(value)))
    )
    # What a key gives away in place of a canonical value: itself, but for an array.
    fresh: Callable[[Any], Any] = lambda value: value
    # What is pickled in place of one.
    portable: Callable[[Any], Any] = lambda value: value


statics = StaticHooks()


def is_same(one: Any, other: Any) -> bool:
    """Compare two static values as their keys do."""
    try:
        tags = [statics.tag(value, "", "")[1] for value in (one, other)]
    except TypeError:
        return False  # what only its declared type lets in is compared by identity
    return tags[0] == tags[1]
