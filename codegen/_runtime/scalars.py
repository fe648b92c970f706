# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring a Python number to a declared dtype, or say why it does not fit.

    as_number(1, "float32", Plate, "t")         # np.float32(1.0)
    as_number(1.5, "int32", Plate, "n")         # TypeError
    as_number(300, "int8", Plate, "n")          # ValueError

A number of the wrong type is a TypeError; one out of range is a ValueError.
"""

import cmath
import functools
import math
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


def as_number(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Return a Python number as a NumPy scalar of the declared dtype or kind."""
    kind = type(value)
    dtype = _default(kind, declared) if declared in KINDS else _named(declared)
    if dtype is None or not _admits(dtype, kind, declared):  # type: ignore[arg-type]
        raise mistyped(value, owner, path, array_text(declared), _remedy(declared))
    lowest, highest = _range(dtype)
    if kind is complex or not lowest <= value <= highest:
        return _checked(value, dtype, owner, path)
    try:
        return dtype.type(value)
    except TypeError:
        # bfloat16 and its like take no int of more than 64 bits.
        return _checked(value, dtype, owner, path)


@functools.cache
def _named(declared: str) -> np.dtype[Any] | None:
    return None if declared == "key" else np.dtype(declared)


def _default(kind: type[Any], declared: str) -> np.dtype[Any]:
    """Return the dtype of a number of some type in an array of any dtype of a kind."""
    default = OF_KIND.get(declared, _OF_TYPE[kind])
    if declared == "Inexact" and kind is int:
        default = np.float64
    return np.dtype(jax.dtypes.canonicalize_dtype(default))


@functools.cache
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


def _checked(value: Any, dtype: np.dtype[Any], owner: Owner, path: str) -> Any:
    """Convert what may not fit; a finite number that becomes infinite is an error."""
    lowest, highest = _range(dtype)
    if is_kind(dtype, np.integer):
        expected = f"an array of {dtype}, from {lowest} to {highest}"
        raise unfit(value, owner, path, expected)
    try:
        number = complex(value)
        with np.errstate(over="ignore"):
            scalar = dtype.type(value if type(value) is complex else float(value))
        fits = cmath.isfinite(complex(scalar)) or not cmath.isfinite(number)
    except OverflowError:
        fits, scalar = False, math.inf
    if not fits:
        raise unfit(value, owner, path, f"an array of {dtype}, whose range it exceeds")
    return scalar


def _remedy(declared: str) -> str:
    if declared == "key":
        return "make one, as `jax.random.key(0)`"
    return "give a number that the dtype holds, or an array"
