# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
"""Bring static values to their declared types, at the boundary and nowhere else.

    if type(nx) is not int:
        nx = as_int(nx, cls, "nx")
    if type(dx) is not float or isnan(dx):
        dx = as_float(dx, cls, "dx")
    return intern_key(cls, (nx, float_tag(dx)), (nx, dx))

The functions here are the slow paths: they convert, or raise a TypeError (a ValueError
where the type is right and the value is not) that names class, field and remedy.
"""

import cmath
import dataclasses
import enum
import importlib
import math
from collections.abc import Callable, Hashable
from typing import Any, Final

import numpy as np

from .messages import Owner, as_python, mismatch, unfit
from .names import is_kind

# A default for what a caller must give, where Python's own check cannot be used because
# JAX calls the constructor too, with other arguments.
MISSING: Final[Any] = object()


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
        check = vars(cls).get("__check_init__")
        if check is not None:
            check(obj)


def require(cls: type[Any], /, **given: Any) -> None:
    """Refuse a call of a constructor that leaves out what has no default."""
    missing = [name for name, value in given.items() if value is MISSING]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        raise TypeError(f"{cls.__qualname__}() is missing required arguments: {names}")


def as_int(value: object, owner: Owner, path: str) -> int:
    """Take an int, or an integer of NumPy; no bool and no IntEnum."""
    if type(value) is int:
        return value
    if _is_numpy(value, np.integer):
        return int(value)  # type: ignore[call-overload, no-any-return]
    raise mismatch(value, owner, path, "an int", _number_remedy(value, owner, "int"))


def as_float(value: Any, owner: Owner, path: str) -> float:
    """Take a float, or an int or a number of NumPy that a float holds exactly."""
    if type(value) is not float:
        value = _as_exact_float(value, owner, path)
    return math.nan if math.isnan(value) else value


def as_complex(value: Any, owner: Owner, path: str) -> complex:
    """Take a complex, or a number of Python or NumPy that a complex holds exactly."""
    if type(value) is complex:
        return canonical_complex(value)
    if _is_numpy(value, np.complexfloating):
        number = complex(value)
        if cmath.isnan(number) or number == value:
            return canonical_complex(number)
        raise unfit(value, owner, path, "a complex, which is too narrow")
    return complex(_as_exact_float(value, owner, path, "a complex number"), 0.0)


def as_bool(value: object, owner: Owner, path: str) -> bool:
    """Take a bool, or a `numpy.bool_`."""
    if type(value) is bool:
        return value
    if type(value) is np.bool_:
        return bool(value)
    remedy = as_python(value, owner, "bool") or "write True or False"
    if isinstance(value, int | float | np.integer) and value in (0, 1):
        remedy = f"write {bool(value)}"
    raise mismatch(value, owner, path, "a bool", remedy)


def as_str(value: object, owner: Owner, path: str) -> str:
    """Take a str, and no subclass of it."""
    if type(value) is str:
        return value
    remedy = ""
    if isinstance(value, enum.Enum):
        remedy = _member_remedy(value, "str")
    elif isinstance(value, bytes):
        remedy = "give `.decode()` of it"
    elif isinstance(value, str | int | float | np.generic):
        remedy = "give `str(...)` of it"
    raise mismatch(value, owner, path, "a str", remedy)


def _number_remedy(value: object, owner: Owner, name: str) -> str:
    if isinstance(value, bool | np.bool_):
        return "a bool is no number; write 0 or 1"
    if isinstance(value, enum.Enum):
        return _member_remedy(value, name)
    if isinstance(value, float) and value.is_integer():
        return f"write {int(value)}, if that is meant"
    if isinstance(value, str) and value.replace(".", "", 1).strip("+-").isdecimal():
        return f"give `{name}(...)` of it"
    return as_python(value, owner, name)


def _member_remedy(value: enum.Enum, name: str) -> str:
    kind = type(value).__qualname__
    return f"declare `{name} | {kind}` for members of it, or give its `.value`"


def _is_numpy(value: object, kind: type[Any]) -> bool:
    """Tell whether a value is a NumPy scalar (ml_dtypes' too) of an abstract kind."""
    return (
        isinstance(value, np.generic)
        and type(value) is value.dtype.type
        and value.dtype.kind != "m"
        and is_kind(value.dtype, kind)
    )


def _as_exact_float(
    value: Any, owner: Owner, path: str, expected: str = "a float"
) -> float:
    if type(value) is float:
        return value
    if type(value) is not int and not (
        _is_numpy(value, np.integer) or _is_numpy(value, np.floating)
    ):
        name = "float" if expected == "a float" else "complex"
        remedy = _number_remedy(value, owner, name)
        raise mismatch(value, owner, path, expected, remedy)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    whole = type(value) is int or _is_numpy(value, np.integer)
    if (whole and int(value) != number) or not (number == value or math.isnan(number)):
        raise unfit(value, owner, path, f"{expected}, which cannot hold it exactly")
    return number


# --- tags, and what else a key asks of its values


def float_tag(value: float | None) -> Hashable:
    """Return the tag of a canonical float (or None) in a field of that type."""
    return value or repr(value)


def canonical_complex(value: complex) -> complex:
    """Return a complex number with the one NaN in place of any other."""
    if not cmath.isnan(value):
        return value
    real = math.nan if math.isnan(value.real) else value.real
    imag = math.nan if math.isnan(value.imag) else value.imag
    return complex(real, imag)


def _first_tag(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
    """Import the part `statics`, where it is written, and tag by what it sets."""
    try:
        importlib.import_module("..statics", __package__)
    except ModuleNotFoundError:
        statics.tag = _plain_tag
    return statics.tag(value, owner, path)


def _plain_tag(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
    """Tag numbers exactly, and what is no number by its own `==`."""
    kind = type(value)
    if kind is float or kind is complex:
        return value, (kind, repr(value))
    hash(value)
    return value, (id(kind), value)


@dataclasses.dataclass(slots=True)
class Statics:
    """What is done with static values of any type.

    The part `statics` knows every type, and sets these when it is imported: by a class with
    such fields, or when the metadata of others' pytrees, which is of any type, is first met.
    """

    # From a value, its owner and its path to the canonical value and its exact tag.
    tag: Callable[[Any, Owner, str], tuple[Any, Hashable]] = _first_tag
    # From the class of keys and what it takes to a key.
    make_key: Callable[..., Any] = lambda kind, *given: kind(*given)
    # What a key gives away in place of a canonical value.
    fresh: Callable[[Any], Any] = lambda value: value
    # What is pickled in place of one.
    portable: Callable[[Any], Any] = lambda value: value


statics = Statics()
