"""Bring what a constructor is given for arrays to arrays, at no cost where it is one.

    if type(u) in CONVERTED or is_weak(u):
        u = as_array(u, "float32", cls, "u")

`CONVERTED` holds the types that are converted (Python's numbers) and those that are refused
(str, list, None, ...). A weakly typed array loses its weakness: with a bfloat16 it would be
one, and JAX would trace a second time. All else is taken as it is: an array, a tracer, a
ShapeDtypeStruct. `declared` is a dtype's name, a kind (`Float`, `Int`, ...) or `key`.
"""

import cmath
import functools
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from ..keys.messages import Owner, array_text, mistyped, unfit
from ..keys.names import KINDS, is_kind, matches

NUMBERS: Final[frozenset[type[Any]]] = frozenset({bool, int, float, complex})
CONVERTED: Final[frozenset[type[Any]]] = NUMBERS.union(
    (type(None), str, bytes, bytearray, list, tuple, dict, set, frozenset, range)
)
# Which Python numbers an array of a kind takes: none that would lose something.
_ADMITTED: Final[dict[type[Any], tuple[type[Any], ...]]] = {
    np.bool_: (bool,),
    np.integer: (int,),
    np.floating: (int, float),
    np.complexfloating: (int, float, complex),
}
# JAX's default dtypes of a kind, as they are with 64 bits; else a number's type decides.
OF_KIND: Final[dict[str, type[Any]]] = {
    "Float": np.float64,
    "Int": np.int64,
    "UInt": np.uint64,
    "Bool": np.bool_,
    "Complex": np.complex128,
}
# What asking for the type of what is no array raises; a consumed one says that it is.
_OF_NO_ARRAY: Final = (AttributeError, RuntimeError)


def is_weak(value: Any) -> bool:
    """Tell whether JAX would give a value a weak type, which costs a second trace."""
    try:
        weak: bool = value.aval.weak_type
    except _OF_NO_ARRAY:
        # What JAX takes for a number, of a subclass too; one of NumPy has a dtype.
        return isinstance(value, int | float | complex) and not hasattr(value, "dtype")
    return weak


def has_weak_type(leaf: Any) -> bool:
    """Tell whether a leaf, which may be a ShapeDtypeStruct, has a weak type."""
    return is_weak(leaf) or (isinstance(leaf, jax.ShapeDtypeStruct) and leaf.weak_type)


def strengthened(leaf: Any) -> Any:
    """Return a leaf of its dtype that has no weak type."""
    if is_weak(leaf):
        return jnp.asarray(leaf, jax.typeof(leaf).dtype)
    return leaf.update(weak_type=False) if has_weak_type(leaf) else leaf


def as_array(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Turn a Python number, or a weakly typed array, into an array of a dtype."""
    return jnp.asarray(as_argument(value, declared, owner, path))


def as_argument(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Turn a Python number into a NumPy scalar, which costs less for one call."""
    if hasattr(value, "aval"):
        return strengthened(value)
    return as_number(value, declared, owner, path, is_held=True)


def as_number(
    value: Any, declared: str, owner: Owner, path: str, *, is_held: bool = False
) -> Any:
    """Return a Python number as a NumPy scalar of the declared dtype or kind.

    With `is_held` it is of what JAX has for that, as it always is of a kind: 64 bits only
    where they are enabled.
    """
    expected = array_text(declared)
    kind: Any = type(value)
    wide = _dtype(kind, declared) if kind in NUMBERS else None
    if wide is None:
        remedy = "give an array or a number" if value is not None else ""
        if declared == "key":
            remedy = "make one, as `jax.random.key(0)`"
        elif isinstance(value, list | tuple | range):
            remedy = "give `jnp.array(...)` of it"
        elif kind in NUMBERS:
            remedy = "give a number that the dtype holds, or an array"
        raise mistyped(value, owner, path, expected, remedy)
    dtype = (
        jax.dtypes.canonicalize_dtype(wide) if is_held or declared in KINDS else wide
    )
    scalar = _converted(value, dtype)
    if scalar is not None:
        return scalar
    fits = _converted(value, wide) is not None
    dtype = dtype if fits else wide
    if dtype.name != declared:
        expected += f", which is {dtype} here"
    lowest, highest, is_whole = _range(dtype)
    limits = f"from {lowest} to {highest}" if is_whole else "whose range it exceeds"
    remedy = 'it fits after `jax.config.update("jax_enable_x64", True)`' if fits else ""
    raise unfit(value, owner, path, f"{expected}, {limits}", remedy)


@functools.cache
def _dtype(kind: type[Any], declared: str) -> np.dtype[Any] | None:
    """Return the dtype of a Python number in an array, with 64 bits; None for none."""
    if declared == "key":
        return None
    dtype = np.dtype(OF_KIND.get(declared, kind) if declared in KINDS else declared)
    if declared == "Inexact" and kind is int:
        dtype = np.dtype(float)
    admitted = [kinds for parent, kinds in _ADMITTED.items() if is_kind(dtype, parent)]
    fits = matches(dtype, declared) and any(kind in kinds for kinds in admitted)
    return dtype if fits else None


@functools.cache
def _range(dtype: np.dtype[Any]) -> tuple[Any, Any, bool]:
    """Return the least and greatest number surely representable; whether all are whole."""
    if dtype == np.bool_:
        return False, True, True
    is_whole = is_kind(dtype, np.integer)
    info: Any = jnp.iinfo if is_whole else jnp.finfo
    number = int if is_whole else float
    return number(info(dtype).min), number(info(dtype).max), is_whole


def _converted(value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert a number; None where it does not fit, as what becomes infinite does not."""
    lowest, highest, is_whole = _range(dtype)
    kind: Any = type(value)
    if kind is not complex and lowest <= value <= highest:
        # bfloat16 and its like take no int of more than 64 bits.
        return dtype.type(value if is_whole else float(value))
    if is_whole:
        return None
    try:
        number = value if kind is complex else float(value)
        with np.errstate(over="ignore"):
            scalar = dtype.type(number)
    except OverflowError:
        return None
    return scalar if cmath.isfinite(scalar) or not cmath.isfinite(number) else None
