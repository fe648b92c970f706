# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Compare two leaves by content: dtype, shape and values, a NaN equal to a NaN.

    equal_leaves(jnp.array([1.0, nan]), jnp.array([1.0, nan]))      # True
    equal_leaves(jnp.array(1), jnp.array(1.0))                      # False

This is what `==` of a class with arrays does with each of them.
"""

from typing import Any, Final

import jax
import numpy as np

from ..call.consumed import is_consumed
from ..keys.dtypes import is_kind
from ..keys.scalars import NUMBERS

_ARRAYS: Final = (jax.Array, np.ndarray, np.generic)


def equal_leaves(left: Any, right: Any) -> bool:
    """Compare two leaves; those that are neither arrays nor numbers by `==`.

    Raises:
        jax.errors.TracerArrayConversionError: one is traced, so its values are unknown
    """
    if left is right:
        return True
    if is_consumed(left) or is_consumed(right):
        # Not left to an array, which would ask the marker for its values.
        return bool(left == right) if is_consumed(left) else bool(right == left)
    if isinstance(left, _ARRAYS) and isinstance(right, _ARRAYS):
        return left.dtype == right.dtype and _equal_arrays(left, right)
    if _is_scalar(left) and _is_scalar(right):
        # A weakly typed scalar is a number before a call and a 0-d array after it.
        left, right = np.asarray(left), np.asarray(right)
        return bool(left.dtype.kind == right.dtype.kind) and _equal_arrays(left, right)
    if isinstance(left, _ARRAYS) or isinstance(right, _ARRAYS):
        # Such as a sharding in its place. NumPy would compare each of its elements.
        return False
    return bool(left == right)


def _is_scalar(leaf: Any) -> bool:
    return type(leaf) in NUMBERS or (isinstance(leaf, _ARRAYS) and leaf.shape == ())


def _equal_arrays(left: Any, right: Any) -> bool:
    if left.shape != right.shape:
        return False
    if is_kind(left.dtype, jax.dtypes.prng_key):
        left, right = jax.random.key_data(left), jax.random.key_data(right)
    left, right = np.asarray(left), np.asarray(right)
    same = left == right
    if is_kind(left.dtype, np.inexact):
        same |= np.isnan(left) & np.isnan(right)
    return bool(np.all(same))
