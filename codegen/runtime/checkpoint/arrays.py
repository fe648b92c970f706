"""Single arrays: as stores hold them, and in the text, where they are constants.

    stored(jnp.ones(2, jnp.int4))
    # Array([1, 1], dtype=uint8), ["int4", [2], {}]
    loaded(np.ones(2, np.uint8), "int4", [2], {})
    # Array([1, 1], dtype=int4)
    content(np.ones(1, np.float32))     # ["float32", [1], "AACAPw=="]

Few stores know numbers of 8 bits or less but those of NumPy: they get them as `uint8`.
What cannot be read is `Wrong`, or one of `MISFITS`.
"""

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ..classes.arrays import has_weak_type, strengthened
from ..converters import is_plain
from ..keys.names import canonical, is_kind
from .documents import Encoded, Wrong

# As `dtype_name` writes it: of other texts NumPy takes some for Python.
_DTYPE: Final = re.compile(r"[a-z]{2}[a-z0-9_]+|[<|][SUMm][0-9]+(\[\w+\])?")
# Those of a number that are stored as `uint8`, where they are not 0: JAX has these dtypes.
_STORED_BITS: Final = (0, 2, 4, 8)
# The bytes of a number of Python's where JAX has 64 bits.
_WIDE: Final = {"f": 8, "i": 8, "c": 16}
# JAX's own types leave open much of what is used here.
_jax: Final[Any] = jax
_bitcast: Final[Any] = jax.lax.bitcast_convert_type


def stored(array: Any) -> tuple[Any, list[Encoded]]:
    """Return what a store gets; and what is written of the array: dtype, shape, the rest.

    Raises:
        TypeError: it is traced, or no array of numbers
    """
    if isinstance(array, Tracer):
        raise TypeError("it is being traced by a function: pack what that returns")
    if isinstance(array, jax.Array) and array.is_deleted():
        raise TypeError("it was deleted, as what is donated to a function is")
    said: dict[str, Any] = {"weak": True} if has_weak_type(array) else {}
    if isinstance(array, np.ndarray | np.generic):
        said["numpy"] = "scalar" if isinstance(array, np.generic) else "array"
        if ends_in_zero(array):
            raise TypeError("it ends in a zero, which no array keeps")
        array = np.asarray(array)
        if not is_plain(array.dtype) or _bits(array.dtype) not in _STORED_BITS:
            raise TypeError(f"it is an array of {array.dtype}")
    elif is_kind(array.dtype, jax.dtypes.prng_key):

        def key_data(keys: Any) -> Any:
            said["key"] = str(jax.random.key_impl(keys))
            return jax.random.key_data(keys)

        array = _mapped(key_data, array)
    code = [array.dtype.name, [*array.shape], said]
    if bits := _bits(array.dtype):
        array = _mapped(lambda one: _bitcast(one, f"uint{bits}").astype("uint8"), array)
    return array, code


def loaded(array: Any, dtype: str, shape: list[int], said: dict[str, Any]) -> Any:
    """Return an array as it was when it was saved.

    Args:
        array: what was given for it: of JAX, of NumPy, or a `jax.ShapeDtypeStruct`
        dtype: as it was saved
        shape: the same
        said: the same of what makes it special
    """
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise Wrong(f"an array was saved, and a {type(array).__qualname__} was given")
    if array.dtype.name != dtype and _DTYPE.fullmatch(dtype):
        array = _as_saved(array, read_dtype(dtype))
    if (array.dtype.name, [*array.shape]) != (dtype, shape):
        found = f"{array.dtype.name}{[*array.shape]}"
        raise Wrong(f"{dtype}{shape} was saved, and {found} was given")
    if isinstance(array, jax.ShapeDtypeStruct):
        return _mapped(lambda one: _special(one, said), array)
    if "numpy" in said:
        held = np.asarray(array)
        return held[()] if said["numpy"] == "scalar" else held
    # In the order of bytes that JAX takes, whichever a file has.
    is_ours = isinstance(array, jax.Array)
    made = array if is_ours else jnp.array(np.asarray(array, dtype))
    if made.dtype.name != dtype:
        raise Wrong(f"{dtype} was saved, which JAX holds with `jax_enable_x64` alone")
    return _special(made, said)


def _as_saved(array: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array of a dtype of which a store has the bits."""
    if getattr(array.dtype, "type", None) is np.void:
        # What a file of NumPy's makes of bfloat16, whose own kind is "V", too.
        is_its = dtype.isbuiltin == 2 and array.dtype == f"V{dtype.itemsize}"
        return array.view(dtype) if is_its else array
    if array.dtype != np.uint8 or not (bits := _bits(dtype)):
        return array
    return _mapped(lambda one: _bitcast(one.astype(f"uint{bits}"), dtype), array)


def _special(array: Any, said: dict[str, Any]) -> Any:
    if "key" in said:
        return jax.random.wrap_key_data(array, impl=said["key"])
    if not said.get("weak"):
        return strengthened(array)
    if array.weak_type:
        return array
    # An update keeps the type of what is updated: that of a number of as many bits.
    with _jax.enable_x64(array.dtype.itemsize == _WIDE.get(array.dtype.kind)):
        number = jnp.asarray(array.dtype.type(0).item())
        return jnp.broadcast_to(number, array.shape).at[...].set(array)


def ends_in_zero(value: Any) -> bool:
    """Tell whether a value is a text or bytes of NumPy that an array would make shorter."""
    return isinstance(value, np.str_ | np.bytes_) and value[-1:] in ("\0", b"\0")


def _bits(dtype: np.dtype[Any]) -> int:
    """Return how many bits a number has, of a dtype that few stores know; else 0."""
    if dtype.isbuiltin != 2 or dtype.itemsize > 1:
        return 0
    info = jnp.finfo if is_kind(dtype, np.floating) else jnp.iinfo
    return int(info(dtype).bits)


def _mapped(function: Callable[[Any], Any], array: Any) -> Any:
    """Return what a function makes of an array, or of an abstract one."""
    if isinstance(array, jax.ShapeDtypeStruct):
        return jax.eval_shape(function, array)
    return function(jnp.asarray(array) if isinstance(array, np.ndarray) else array)


# --- constants


def content(array: np.ndarray[Any, Any]) -> list[Encoded]:
    """Return what is written of a constant array: dtype, shape, bytes in base64."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    data = base64.b64encode(little.tobytes()).decode()
    return [dtype_name(array.dtype), list(array.shape), data]


def constant(dtype: str, shape: Sequence[int], data: str) -> np.ndarray[Any, Any]:
    """Return the array of a content; whether that is how it is written is not asked."""
    kind = read_dtype(dtype)
    little = np.frombuffer(base64.b64decode(data), kind.newbyteorder("<"))
    return np.ndarray(shape, kind, little.astype(kind, copy=False).tobytes())


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name by which a dtype is found again."""
    dtype = canonical(dtype)
    return dtype.str if dtype.kind in "MmSU" else dtype.name


def read_dtype(name: str) -> np.dtype[Any]:
    """Return the dtype of a name, which is one of numbers."""
    if not _DTYPE.fullmatch(name) or not is_plain(dtype := np.dtype(name)):
        raise Wrong(f"there are no arrays of {name[:60]}")
    return canonical(dtype)
