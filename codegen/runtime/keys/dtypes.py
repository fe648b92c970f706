# pyright: reportUnknownArgumentType=false
"""Dtypes as a schema writes them: a name (`float32`) or a kind (`Float`).

    matches(np.dtype("bfloat16"), "Float")      # True
    canonical(np.dtype(">f4"))                  # dtype('float32')

JAX's own types beside NumPy's (bfloat16, float8_e4m3fn, int4) are dtypes too.
"""

import functools
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

# What each kind admits, as jaxtyping's name of it does. A bool is no number.
KINDS: Final[dict[str, tuple[type[Any], ...]]] = {
    "Float": (np.floating,),
    "Int": (np.signedinteger,),
    "UInt": (np.unsignedinteger,),
    "Bool": (np.bool_,),
    "Complex": (np.complexfloating,),
    "Inexact": (np.inexact,),
    "Real": (np.floating, np.integer),
    "Num": (np.number,),
    "Shaped": (np.generic,),
}


# Structured ones, and numbers of which some bytes count for nothing.
_UNPLAIN: Any = (np.void, np.longdouble, np.clongdouble)


def is_kind(dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is of an abstract kind: bfloat16 is of `np.floating`."""
    return bool(jnp.issubdtype(dtype, kind))


def matches(dtype: np.dtype[Any], declared: str) -> bool:
    """Tell whether a dtype is the declared one, or of the declared kind."""
    kinds = KINDS.get(declared)
    if kinds is None:
        return canonical(dtype) == np.dtype(declared)
    return any(is_kind(dtype, kind) for kind in kinds)


def has_dtype(dtype: Any, declared: str) -> bool:
    """Tell whether JAX holds what is declared in arrays of a dtype, of keys too."""
    if declared == "key":
        return is_kind(dtype, jax.dtypes.prng_key)
    if declared in KINDS:
        return any(is_kind(dtype, kind) for kind in KINDS[declared])
    if dtype == _named(declared):
        return True
    if not isinstance(dtype, np.dtype):
        return False
    # Without 64 bits, an array of a dtype that has them has 32.
    return matches(dtype, declared) or matches(
        dtype, jax.dtypes.canonicalize_dtype(declared).name
    )


@functools.cache
def _named(declared: str) -> np.dtype[Any]:
    return jnp.dtype(declared)


def is_plain(dtype: np.dtype[Any]) -> bool:
    """Tell whether a dtype is neither of objects, nor structured, nor padded."""
    # Not by its character, as JAX's own types share theirs with NumPy's padded ones.
    return not dtype.hasobject and not issubclass(dtype.type, _UNPLAIN)


def canonical(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the one dtype that stands for all its spellings: native, no metadata."""
    if dtype.isbuiltin not in (0, 1):  # From outside NumPy, as bfloat16 is.
        return np.dtype(dtype.type)
    # Two C types of one size (long, long long) are one dtype under two characters.
    return np.dtype(dtype.newbyteorder("=").str)
