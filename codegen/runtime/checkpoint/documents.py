"""The text beside the arrays, and its descriptions of arrays and constants.

    text = format_document({"format": 1, "root": ["object", "heat.Plate", {...}], ...})
    # '{"classes":{...},"format":1,"root":[...],"sha256":"9f0c..."}'
    parse_document(text)["root"]
    to_stored(jnp.ones(2, jnp.int4))    # Array([1, 1], dtype=uint8), ["int4", [2], {}]
    from_stored(np.ones(2, np.uint8), "int4", [2], {})  # Array([1, 1], dtype=int4)
    describe_constant(np.ones(1, np.float32))           # ["float32", [1], "AACAPw=="]

The text is canonical JSON that ends with a digest of itself: equal states give equal bytes.
Any other text is refused before a value is read from it. Most stores know only NumPy's numbers
of 8 bits or less: others are stored as `uint8`.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ..classes.values import is_weak, without_weak_type
from ..converters import is_plain
from ..keys.messages import shorten
from ..keys.names import canonical as canonical_dtype
from ..keys.names import is_kind

Encoded = Any  # JSON data.

FORMAT: Final = 1
NOT_WRITTEN: Final = "`about` was not written by `pack`"
_END_LENGTH: Final = len(',"sha256":""}') + 64
_DIFFERENCE_MAX: Final = 2000
# The largest exact integer of JavaScript and others; larger ones use another form.
EXACT_MAX: Final = 2**53
# Errors of constructing a value from wrong parts.
MISFITS: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
# Between two halves of a surrogate pair, which JSON would join.
HALVES: Final = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")
# The output of `dtype_name`. NumPy evaluates some other texts as Python.
_DTYPE: Final = re.compile(r"[a-z]{2}[a-z0-9_]+|[<|][SUMm][0-9]+(\[\w+\])?")
# The bit counts of numbers stored as `uint8`, other than 0. JAX has these dtypes.
_STORED_BITS: Final = (0, 2, 4, 8)
# The bytes of a Python number where JAX has 64 bits enabled.
_WIDE: Final = {"f": 8, "i": 8, "c": 16}
# JAX's own types are too loose for much of its use here.
_jax: Final[Any] = jax
_bitcast: Final[Any] = jax.lax.bitcast_convert_type


class CheckpointError(ValueError):
    """A checkpoint cannot be loaded.

    Attributes:
        differences: each is a path, what differs there, and what to write
    """

    def __init__(self, message: str, differences: Sequence[str] = ()) -> None:
        # A path may contain a name from the checkpoint, which may be of any length.
        short = (shorten(one, _DIFFERENCE_MAX) for one in differences)
        super().__init__("\n  ".join([shorten(message, _DIFFERENCE_MAX), *short]))
        self.differences = tuple(differences)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self).split("\n", 1)[0], self.differences)


class Wrong(Exception):
    """A value that is refused; the message gives the reason."""


def canonical(value: Any) -> str:
    """Return the canonical JSON of a value, which distinguishes values that `==` does
    not, as 1 and True.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def format_document(document: dict[str, Any]) -> str:
    """Return the text of a document, whose entries all sort before `sha256`."""
    return _ended(canonical(document))


def parse_document(text: object) -> dict[str, Any]:
    """Return the document in a text.

    Raises:
        CheckpointError: the text is cut short, changed, or of another format
    """
    if not isinstance(text, str):
        raise CheckpointError(
            f"`about` must be a `str`, not a `{type(text).__qualname__}`"
        )
    body = text[:-_END_LENGTH] + "}"
    if not body.isascii() or text != _ended(body):
        raise CheckpointError(
            "`about` was truncated or changed: its digest does not match"
        )
    try:
        document = json.loads(body, parse_int=_small, parse_float=_small)
        # A text with a duplicate key or NaN differs from its canonical form.
        is_canonical = canonical(document) == body
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{NOT_WRITTEN}: {error}") from None
    if not is_canonical or not isinstance(document, dict):
        raise CheckpointError(f"{NOT_WRITTEN}: it is not canonical JSON")
    if document.get("format") != FORMAT:
        raise CheckpointError(
            f"`about` has format {document.get('format')!r}, but this code reads only "
            f"format {FORMAT}. The data is newer: upgrade `pytree-codegen`, and run "
            "`codegen build` again"
        )
    return document


def _ended(body: str) -> str:
    digest = hashlib.sha256(body.encode()).hexdigest()
    return f'{body[:-1]},"sha256":"{digest}"}}'


def _small(text: str) -> int:
    value = int(text)
    if abs(value) > EXACT_MAX:
        raise ValueError("a number is too large")
    return value


def are_pairs(items: list[Encoded]) -> bool:
    """Return whether all items are lists of two."""
    return all(isinstance(one, list) and len(one) == 2 for one in items)


def is_below(path: str, part: str) -> bool:
    """Return whether a path is the path of a part, or leads into it."""
    return not part or path == part or path.startswith((f"{part}.", f"{part}["))


# --- arrays


def to_stored(array: Any) -> tuple[Any, list[Encoded]]:
    """Return the array to store, and its description: dtype, shape and properties.

    Raises:
        TypeError: it is a tracer, or not an array of numbers
    """
    if isinstance(array, Tracer):
        raise TypeError(
            "it is a tracer. Return the object from the traced function, and pack the "
            "returned object"
        )
    if isinstance(array, jax.Array) and array.is_deleted():
        raise TypeError("it was deleted, for example by a call that donates it")
    properties: dict[str, Any] = {"weak": True} if is_weak(array) else {}
    if isinstance(array, np.ndarray | np.generic):
        properties["numpy"] = "scalar" if isinstance(array, np.generic) else "array"
        if type(array) not in (np.ndarray, array.dtype.type):
            # Its class may hold more than the numbers, such as a mask.
            raise TypeError(
                f"arrays of class {type(array).__qualname__} cannot be saved. Convert "
                "the array to a `numpy.ndarray`"
            )
        array = np.asarray(array)
        if not _is_number(array.dtype):
            raise TypeError(
                f"arrays of dtype {array.dtype} cannot be saved. Convert the array to a "
                "dtype that JAX has"
            )
    elif is_kind(array.dtype, jax.dtypes.prng_key):

        def key_data(keys: Any) -> Any:
            properties["key"] = str(jax.random.key_impl(keys))
            return jax.random.key_data(keys)

        array = _mapped(key_data, array)
    code = [array.dtype.name, [*array.shape], properties]
    if bits := _bits(array.dtype):
        array = _mapped(lambda one: _bitcast(one, f"uint{bits}").astype("uint8"), array)
    return array, code


def from_stored(
    array: Any, dtype: str, shape: list[int], properties: dict[str, Any]
) -> Any:
    """Return an array as it was when it was saved.

    Args:
        array: the given array: of JAX, of NumPy, or a `jax.ShapeDtypeStruct`
        dtype: the saved dtype
        shape: the saved shape
        properties: the saved properties, such as a weak type
    """
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise Wrong(
            f"was saved as an array, but a {type(array).__qualname__} was given"
        )
    if array.dtype.name != dtype and _DTYPE.fullmatch(dtype):
        array = _as_saved(array, read_dtype(dtype))
    if (array.dtype.name, [*array.shape]) != (dtype, shape):
        text = f"{array.dtype.name}{[*array.shape]}"
        raise Wrong(f"was saved as {dtype}{shape}, but {text} was given")
    if isinstance(array, jax.ShapeDtypeStruct):
        return _mapped(lambda one: _special(one, properties), array)
    if "numpy" in properties:
        held = np.asarray(array, dtype)
        return held[()] if properties["numpy"] == "scalar" else held
    # JAX accepts only the native byte order; a file may have another.
    is_ours = isinstance(array, jax.Array)
    converted = array if is_ours else jnp.array(np.asarray(array, dtype))
    if converted.dtype.name != dtype:
        raise Wrong(
            f"was saved as {dtype}, which JAX supports only with `jax_enable_x64`"
        )
    return _special(converted, properties)


def _as_saved(array: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array of a dtype whose bits a store has kept."""
    if getattr(array.dtype, "type", None) is np.void:
        # A NumPy file turns bfloat16, whose own kind is also "V", into raw bytes.
        is_its = dtype.isbuiltin == 2 and array.dtype == f"V{dtype.itemsize}"
        return array.view(dtype) if is_its else array
    if array.dtype != np.uint8 or not (bits := _bits(dtype)):
        return array
    return _mapped(lambda one: _bitcast(one.astype(f"uint{bits}"), dtype), array)


def _special(array: Any, properties: dict[str, Any]) -> Any:
    if "key" in properties:
        return jax.random.wrap_key_data(array, impl=properties["key"])
    if not properties.get("weak"):
        return without_weak_type(array)
    if array.weak_type:
        return array
    # An update keeps the type of its target, which must be a number of the same width.
    with _jax.enable_x64(array.dtype.itemsize == _WIDE.get(array.dtype.kind)):
        number = jnp.asarray(array.dtype.type(0).item())
        return jnp.broadcast_to(number, array.shape).at[...].set(array)


def _is_number(dtype: np.dtype[Any]) -> bool:
    """Return whether a dtype is a number or bool of JAX, which has no other byte order
    than the native one.
    """
    is_stored = is_plain(dtype) and _bits(dtype) in _STORED_BITS
    return is_stored and dtype.isnative and dtype.kind not in "MmSU"


def _bits(dtype: np.dtype[Any]) -> int:
    """Return the bit width of a number of a dtype that few stores know; else 0."""
    if dtype.isbuiltin != 2 or dtype.itemsize > 1:
        return 0
    info = jnp.finfo if is_kind(dtype, np.floating) else jnp.iinfo
    return int(info(dtype).bits)


def _mapped(function: Callable[[Any], Any], array: Any) -> Any:
    """Return a function's result for an array, or the abstract result for an abstract
    one.
    """
    if isinstance(array, jax.ShapeDtypeStruct):
        return jax.eval_shape(function, array)
    return function(jnp.asarray(array) if isinstance(array, np.ndarray) else array)


# --- constants


def describe_constant(array: np.ndarray[Any, Any]) -> list[Encoded]:
    """Return the description of a constant array: dtype, shape, bytes in base64."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    data = base64.b64encode(little.tobytes()).decode()
    return [dtype_name(array.dtype), list(array.shape), data]


def parse_constant(dtype: str, shape: Sequence[int], data: str) -> np.ndarray[Any, Any]:
    """Return the array of a description, without checking that the description is
    canonical.
    """
    kind = read_dtype(dtype)
    little = np.frombuffer(base64.b64decode(data), kind.newbyteorder("<"))
    return np.ndarray(shape, kind, little.astype(kind, copy=False).tobytes())


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name from which `read_dtype` finds a dtype."""
    dtype = canonical_dtype(dtype)
    return dtype.str if dtype.kind in "MmSU" else dtype.name


def read_dtype(name: str) -> np.dtype[Any]:
    """Return the dtype of a name, which must be numeric."""
    if not _DTYPE.fullmatch(name) or not is_plain(dtype := np.dtype(name)):
        raise Wrong(f"has the dtype {name[:60]}, which arrays cannot have")
    return canonical_dtype(dtype)
