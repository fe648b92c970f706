"""Ask quickly whether an array is exactly as declared.

    nx, ny = shape_of(plate.u, FLOAT32)
    fits(plate.alpha, FLOAT32, (nx, ny))

Where the answer is no, or an error, `check_shapes` looks closer and says what is wrong.
"""

from typing import Any, Final

import jax.numpy as jnp
import numpy as np

BFLOAT16: Final = jnp.dtype("bfloat16")
BOOL: Final = jnp.dtype("bool")
COMPLEX128: Final = jnp.dtype("complex128")
COMPLEX64: Final = jnp.dtype("complex64")
FLOAT16: Final = jnp.dtype("float16")
FLOAT32: Final = jnp.dtype("float32")
FLOAT64: Final = jnp.dtype("float64")
FLOAT8_E4M3B11FNUZ: Final = jnp.dtype("float8_e4m3b11fnuz")
FLOAT8_E4M3FN: Final = jnp.dtype("float8_e4m3fn")
FLOAT8_E4M3FNUZ: Final = jnp.dtype("float8_e4m3fnuz")
FLOAT8_E5M2: Final = jnp.dtype("float8_e5m2")
FLOAT8_E5M2FNUZ: Final = jnp.dtype("float8_e5m2fnuz")
INT16: Final = jnp.dtype("int16")
INT2: Final = jnp.dtype("int2")
INT32: Final = jnp.dtype("int32")
INT4: Final = jnp.dtype("int4")
INT64: Final = jnp.dtype("int64")
INT8: Final = jnp.dtype("int8")
UINT16: Final = jnp.dtype("uint16")
UINT2: Final = jnp.dtype("uint2")
UINT32: Final = jnp.dtype("uint32")
UINT4: Final = jnp.dtype("uint4")
UINT64: Final = jnp.dtype("uint64")
UINT8: Final = jnp.dtype("uint8")


def fits(array: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> bool:
    """Tell whether a JAX array or tracer has a dtype and a shape."""
    # Its own `shape` and `dtype` ask this, and cost twice as much.
    aval = array.aval
    same: bool = aval.dtype == dtype and aval.shape == shape
    return same


def fits_rank(array: Any, dtype: np.dtype[Any], rank: int) -> bool:
    """Tell whether a JAX array or tracer has a dtype and a number of axes, of any size."""
    aval = array.aval
    same: bool = aval.dtype == dtype and len(aval.shape) == rank
    return same


def shape_of(array: Any, dtype: np.dtype[Any]) -> tuple[int, ...]:
    """Return the shape of a JAX array or tracer, whatever it is.

    Raises:
        ValueError: its dtype is another
    """
    aval = array.aval
    if aval.dtype != dtype:
        raise ValueError(aval.dtype)
    shape: tuple[int, ...] = aval.shape
    return shape
