# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring a Python number to a declared dtype, or say why it does not fit.

    as_number(1, "float32", Plate, "t")         # np.float32(1.0)
    as_number(1.5, "int32", Plate, "n")         # TypeError
    as_number(300, "int8", Plate, "n")          # ValueError
    as_held(2**40, "int64", Plate, "n")         # ValueError, where JAX has no 64 bits

A number of the wrong type is a TypeError; one out of range is a ValueError.
"""

import cmath
import functools
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from .dtypes import KINDS, is_kind, matches
from .messages import Owner, array_text, mistyped, unfit

NUMBERS: Final[frozenset[type[Any]]] = frozenset({bool, int, float, complex})

# Which Python numbers an array of a kind takes: none that would lose something.
_ADMITTED: Final[tuple[tuple[type[Any], frozenset[type[Any]]], ...]] = (
    (np.bool_, frozenset({bool})),
    (np.integer, frozenset({int})),
    (np.floating, frozenset({int, float})),
    (np.complexfloating, frozenset({int, float, complex})),
)

# JAX's default dtypes, as they are with 64 bits: of a kind, else of the number's type.
OF_KIND: Final[dict[str, type[Any]]] = {
    "Float": np.float64,
    "Int": np.int64,
    "UInt": np.uint64,
    "Bool": np.bool_,
    "Complex": np.complex128,
}
_OF_TYPE: Final[dict[type[Any], type[Any]]] = {
    bool: np.bool_,
    int: np.int64,
    float: np.float64,
    complex: np.complex128,
}

_config: Final[Any] = jax.config  # JAX's stubs know no settings

# What JAX has in place of these where it has no 64 bits.
_HALF: Final[dict[np.dtype[Any], np.dtype[Any]]] = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.uint64): np.dtype(np.uint32),
    np.dtype(np.float64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.complex64),
}


def as_held(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Return a Python number as a NumPy scalar of what JAX has for the declared dtype."""
    kind: Any = type(value)
    wide: bool = _config.jax_enable_x64
    make, lowest, highest = _quickly(kind, declared, wide)
    if kind is not complex and lowest <= value <= highest:
        return make(value)
    return _slowly(value, declared, owner, path, wide)


def as_number(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Return a Python number as a NumPy scalar of the declared dtype or kind."""
    kind: Any = type(value)
    wide = declared not in KINDS or _config.jax_enable_x64
    make, lowest, highest = _quickly(kind, declared, wide)
    if kind is not complex and lowest <= value <= highest:
        return make(value)
    return _slowly(value, declared, owner, path, wide)


def _slowly(value: Any, declared: str, owner: Owner, path: str, wide: bool) -> Any:
    kind: Any = type(value)
    dtype = _dtype(kind, declared, wide)
    if dtype is None:
        raise mistyped(value, owner, path, array_text(declared), _remedy(declared))
    scalar = _converted(value, dtype)
    if scalar is None:
        raise _out_of_range(value, declared, owner, path, dtype)
    return scalar


@functools.cache
def _quickly(kind: Any, declared: str, wide: bool) -> tuple[Any, Any, Any]:
    """Return what makes a scalar of a number, and the range in which it surely can."""
    dtype = _dtype(kind, declared, wide)
    if dtype is None:
        return None, 1, 0
    lowest, highest = _range(dtype)
    if kind is int and not is_kind(dtype, np.integer):
        # bfloat16 and its like take no int of more than 64 bits.
        lowest, highest = max(lowest, -(2**63)), min(highest, 2**63 - 1)
    # JAX narrows what is in the range faster than NumPy makes it narrow.
    made = dtype if declared in KINDS else np.dtype(declared)
    return made.type, lowest, highest


@functools.cache
def _dtype(kind: type[Any], declared: str, wide: bool) -> np.dtype[Any] | None:
    """Return the dtype of numbers of a type, with 64 bits or without; None for none."""
    dtype = _default(kind, declared) if declared in KINDS else _named(declared)
    if dtype is None or not _admits(dtype, kind, declared):
        return None
    return dtype if wide else _HALF.get(dtype, dtype)


def _named(declared: str) -> np.dtype[Any] | None:
    return None if declared == "key" else np.dtype(declared)


def _default(kind: type[Any], declared: str) -> np.dtype[Any]:
    """Return the dtype of a number of some type in an array of any dtype of a kind."""
    default = OF_KIND.get(declared, _OF_TYPE[kind])
    if declared == "Inexact" and kind is int:
        default = np.float64
    return np.dtype(default)


def _admits(dtype: np.dtype[Any], kind: type[Any], declared: str) -> bool:
    if kind is bool and declared in KINDS and declared not in ("Bool", "Shaped"):
        return False
    if not matches(dtype, declared):
        return False
    return any(
        kind in admitted for parent, admitted in _ADMITTED if is_kind(dtype, parent)
    )


@functools.cache
def _range(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """Return the least and the greatest number that are surely representable."""
    if dtype == np.bool_:
        return False, True
    limits: Any = jnp.iinfo if is_kind(dtype, np.integer) else jnp.finfo
    found = limits(dtype)
    # As numbers of Python: `item` of those that are scalars of a NumPy dtype.
    return np.asarray(found.min).item(), np.asarray(found.max).item()


def _converted(value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert a number; None where it does not fit, as what becomes infinite does not."""
    if dtype == np.bool_ or is_kind(dtype, np.integer):
        lowest, highest = _range(dtype)
        return dtype.type(value) if lowest <= value <= highest else None
    try:
        number = complex(value)
        with np.errstate(over="ignore"):
            scalar = dtype.type(value if type(value) is complex else float(value))
    except OverflowError:
        return None
    fits = cmath.isfinite(complex(scalar)) or not cmath.isfinite(number)
    return scalar if fits else None


def _out_of_range(
    value: Any, declared: str, owner: Owner, path: str, dtype: np.dtype[Any]
) -> ValueError:
    kind: Any = type(value)
    wide = _dtype(kind, declared, True) or dtype
    remedy = ""
    if wide != dtype:
        if _converted(value, wide) is None:
            dtype = wide
        else:
            remedy = 'it fits after `jax.config.update("jax_enable_x64", True)`'
    expected = array_text(declared)
    if declared in KINDS:
        expected += f", in which a number is {dtype}"
    elif dtype.name != declared:
        expected += f", which is {dtype} here"
    if is_kind(dtype, np.integer):
        lowest, highest = _range(dtype)
        expected += f", from {lowest} to {highest}"
    else:
        expected += ", whose range it exceeds"
    return unfit(value, owner, path, expected, remedy)


def _remedy(declared: str) -> str:
    if declared == "key":
        return "make one, as `jax.random.key(0)`"
    return "give a number that the dtype holds, or an array"
