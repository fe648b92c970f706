"""Values of dynamic fields: converted to arrays at the boundary, and compared exactly.

    u = as_array(u, "float32", cls, "u")

    diff(plate, other)          # u: f32[125,3] != f32[125,3], first at [0, 2]: 1.0 != 3.0

`CONVERTED` contains the types that are converted (Python's numbers) and the refused
types (str, list, None, ...). A weakly typed array becomes strongly typed: JAX would
otherwise promote it differently, for example with bfloat16, and trace a second time.
Everything else is kept as it is: an array, a tracer, a ShapeDtypeStruct. `declared` is
a dtype's name, a kind (`Float`, `Int`, ...) or `key`.
"""

import cmath
import dataclasses
import functools
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from ..frozen_dicts import frozendict
from ..keys.conversion import is_same
from ..keys.messages import (
    Owner,
    a_or_an,
    describe_array_type,
    format_line,
    mistyped,
    unfit,
)
from ..keys.names import (
    KINDS,
    Generated,
    content_of,
    describe_other_class,
    is_generated,
    is_kind,
    is_ref,
    matches,
)

G = TypeVar("G", bound=Generated)

NUMBERS: Final[frozenset[type[Any]]] = frozenset({bool, int, float, complex})
CONVERTED: Final[frozenset[type[Any]]] = NUMBERS.union(
    (type(None), str, bytes, bytearray, list, tuple, dict, set, frozenset, range)
)
# The Python numbers that an array of each kind accepts without loss.
_ADMITTED: Final[dict[type[Any], tuple[type[Any], ...]]] = {
    np.bool_: (bool,),
    np.integer: (int,),
    np.floating: (int, float),
    np.complexfloating: (int, float, complex),
}
# JAX's default dtypes of a kind, with 64 bits enabled; for other kinds the number's
# type decides.
OF_KIND: Final[dict[str, type[Any]]] = {
    "Float": np.float64,
    "Int": np.int64,
    "UInt": np.uint64,
    "Bool": np.bool_,
    "Complex": np.complex128,
}
# Errors of asking a non-array for its type. A consumed array reports that it is
# consumed.
_OF_NO_ARRAY: Final = (AttributeError, RuntimeError)
_ARRAYS: Final = (jax.Array, np.ndarray, np.generic)
# Errors of asking for numbers that are not available: the array is deleted, elsewhere,
# or of keys; or the arrays are equal.
_OF_NO_NUMBERS: Final = (RuntimeError, TypeError, IndexError)


# --- conversion to arrays


def is_weak(value: object) -> bool:
    """Return whether JAX gives a value a weak type: a Python number, or an array, tracer
    or ShapeDtypeStruct with one.

    JAX 0.10 creates a Ref of a weak type from a Python number. It stays as it is.
    """
    array: Any = value
    try:
        weak: bool = array.aval.weak_type
    except _OF_NO_ARRAY:
        if isinstance(value, jax.ShapeDtypeStruct):
            return bool(array.weak_type)
        # JAX treats these as Python numbers, including subclasses. NumPy numbers have a
        # dtype.
        return isinstance(value, int | float | complex) and not hasattr(value, "dtype")
    return weak and not isinstance(value, jax.Ref)


def without_weak_type(leaf: object) -> object:
    """Return a leaf of the same dtype without a weak type."""
    if not is_weak(leaf):
        return leaf
    if isinstance(leaf, jax.ShapeDtypeStruct):
        struct: Any = leaf
        return struct.update(weak_type=False)
    return jnp.asarray(leaf, jax.typeof(leaf).dtype)


def as_array(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Convert a Python number, or a weakly typed array, to an array of a dtype.

    Any other value is returned as it is: an array, a tracer, a ShapeDtypeStruct.
    """
    try:
        if not value.aval.weak_type:  # `is_weak`, without a call for the usual array
            return value
    except _OF_NO_ARRAY:
        pass
    if type(value) in CONVERTED or is_weak(value):
        value = as_argument(value, declared, owner, path)
        return jnp.asarray(value) if isinstance(value, np.generic) else value
    return value


def as_argument(value: object, declared: str, owner: Owner, path: str) -> Any:
    """Convert a Python number to a NumPy scalar, which is cheaper for one call."""
    if hasattr(value, "aval") or isinstance(value, jax.ShapeDtypeStruct):
        return without_weak_type(value)
    return as_number(value, declared, owner, path, is_held=True)


def as_number(
    value: object, declared: str, owner: Owner, path: str, *, is_held: bool = False
) -> object:
    """Return a Python number as a NumPy scalar of the declared dtype or kind.

    With `is_held` it has JAX's dtype for that: 64 bits only if they are enabled. A
    number of a kind always has JAX's dtype.
    """
    expected = describe_array_type(declared)
    kind: Any = type(value)
    wide = _dtype(kind, declared) if kind in NUMBERS else None
    if wide is None:
        remedy = "pass an array or a number" if value is not None else ""
        if declared == "key":
            remedy = "create one, as with `jax.random.key(0)`"
        elif isinstance(value, list | tuple | range):
            remedy = "convert it with `jnp.array(...)`"
        elif kind in NUMBERS:
            remedy = "pass a number that the dtype can represent, or an array"
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
    """Return the 64-bit dtype of a Python number in an array, or None if it does not
    fit.
    """
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


def _converted(value: Any, dtype: np.dtype[Any]) -> object:
    """Convert a number; None if it does not fit. A number that would become infinite
    does not.
    """
    lowest, highest, is_whole = _range(dtype)
    kind: type[Any] = type(value)
    if kind is not complex and lowest <= value <= highest:
        # bfloat16 and similar dtypes accept no int of more than 64 bits.
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


# --- comparison


def same_tree(one: Any, other: Any) -> bool:
    """Return whether two trees have equal structures and leaves."""
    from ..treedefs import same_structure

    # Reading a key is an error while the `__init__` of the object has not returned.
    is_alike = is_generated(one) and type(other) is type(one)
    if is_alike and one.__codegen_key__ is not other.__codegen_key__:
        return False
    mine, treedef = jax.tree_util.tree_flatten(one)
    theirs, its = jax.tree_util.tree_flatten(other)
    return same_structure(treedef, its) and all(map(equal_leaves, mine, theirs))


def equal_leaves(left: Any, right: Any) -> bool:
    """Compare two leaves by dtype, shape and values; a NaN is equal to a NaN.

    Values that are neither arrays nor numbers are compared by `==`.

    Raises:
        jax.errors.TracerArrayConversionError: one is a tracer, so its values are
            unknown
    """
    if left is right:
        return True
    if is_ref(left) and is_ref(right):
        left, right = content_of(left), content_of(right)
    arrays = [isinstance(leaf, _ARRAYS) for leaf in (left, right)]
    if all(arrays):
        is_alike = left.dtype == right.dtype and left.shape == right.shape
        if is_alike and is_kind(left.dtype, jax.dtypes.prng_key):
            left, right = jax.random.key_data(left), jax.random.key_data(right)
    elif _is_scalar(left) and _is_scalar(right):
        # A scalar is a weakly typed number before a call and a 0-d array after it.
        is_alike = np.asarray(left).dtype.kind == np.asarray(right).dtype.kind
    else:
        # For example a sharding or a consumed array, whose elements must not be read.
        return not any(arrays) and bool(left == right)
    if not is_alike:
        return False
    # Converted here, as `array_equal` would hide the error of a tracer.
    left, right = np.asarray(left), np.asarray(right)
    return np.array_equal(left, right, equal_nan=is_kind(left.dtype, np.inexact))


def _is_scalar(leaf: object) -> bool:
    return type(leaf) in NUMBERS or (isinstance(leaf, _ARRAYS) and leaf.shape == ())


class Differences(dict[str, tuple[Any, Any]]):
    """The differences by path, with both values. Printed with one line each."""

    def __repr__(self) -> str:
        lines = [f"{path}: {_format_pair(*pair)}" for path, pair in self.items()]
        return "\n".join(lines) or "no difference"


def diff(one: object, other: object) -> Differences:
    """Return the fields, by path, in which two objects of a class differ.

    Raises:
        TypeError: they are not objects of one generated class
    """
    kind = type(one)
    if type(other) is not kind or not is_generated(one):
        wanted = (
            f"{a_or_an(kind.__qualname__)} of a generated class, like the first "
            "argument"
        )
        raise mistyped(
            other, "diff", "other", wanted, describe_other_class(other, kind)
        )
    return Differences(iter_differences(one, other, "", is_static=False))


def iter_differences(
    one: object, other: object, path: str, *, is_static: bool
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield the differences at a path and below it."""
    if one is other:
        return
    mine, theirs = (
        fields_of(each)
        if is_static and dataclasses.is_dataclass(each)
        else parts_by_step(each)
        for each in (one, other)
    )
    # The order of a static dict is part of its key.
    alike = [*mine] == [*theirs] if is_static else mine.keys() == theirs.keys()
    if mine and alike and type(one) is type(other):
        record = getattr(type(one), "__codegen_record__", None)
        for step, item in mine.items():
            below = is_static or (record is not None and step in record.meta_fields)
            dot = "." if path and step[0] != "[" else ""
            pair = item, theirs[step]
            yield from iter_differences(*pair, f"{path}{dot}{step}", is_static=below)
    elif not (is_same if is_static else same_tree)(one, other):
        yield path, (one, other)


def parts_by_step(value: Any) -> dict[str, Any]:
    """Return the parts of a value by the step that leads there; empty for a leaf."""
    kind: type[Any] = type(value)
    if is_generated(value):
        return fields_of(value)
    if kind is list or isinstance(value, tuple):
        steps = getattr(kind, "_fields", [f"[{i}]" for i in range(len(value))])
        return dict(zip(steps, value, strict=True))
    if kind is dict or kind is frozendict:
        return {f"[{key!r}]": item for key, item in value.items()}
    return {}


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are set on the object."""
    names = [field.name for field in dataclasses.fields(value)]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _format_pair(one: object, other: object) -> str:
    """Format two values; for two arrays that look alike, also their first difference."""
    text = f"{format_line(one)} != {format_line(other)}"
    return (
        text
        if format_line(one) != format_line(other)
        else text + first_difference(content_of(one), content_of(other))
    )


def first_difference(one: object, other: object) -> str:
    """Return the place and the numbers of the first difference of two arrays, else an
    empty text.
    """
    try:
        mine, theirs = np.asarray(one), np.asarray(other)
        differ = (mine != theirs) & ~(np.isnan(mine) & np.isnan(theirs))
        place = tuple(np.argwhere(differ).tolist()[0])
    except _OF_NO_NUMBERS:
        return ""
    return f", first at {[*place]}: {mine[place]!s} != {theirs[place]!s}"


def fill(obj: G, leaf: object, fields: Mapping[str, object]) -> G:
    """Return an object of the same structure, with a leaf or a whole field in each
    place.
    """
    record = type(obj).__codegen_record__
    children, key = record.flatten(obj)
    held = dict(zip(record.data_fields, children, strict=True))
    own = [name for name, child in held.items() if not _is_owned_elsewhere(child)]
    if wrong := [name for name in fields if name not in own]:
        raise TypeError(
            f"`{record.cls.__qualname__}.like` cannot fill `{wrong[0]}`. It can fill "
            f"only {', '.join(f'`{one}`' for one in own)}. For a static field, call "
            "`replace` first. For a shared part, fill the field of its owner"
        )
    rest = {name: child for name, child in held.items() if name not in fields}
    held |= {**jax.tree_util.tree_map(lambda _: leaf, rest), **fields}
    new: G = record.unflatten(key, tuple(held.values()))
    return new


def _is_owned_elsewhere(child: object) -> bool:
    """Return whether another field owns everything in this field."""
    from ..sharing import HOLE

    leaves = jax.tree_util.tree_leaves(child, is_leaf=lambda part: part is HOLE)
    return bool(leaves) and all(leaf is HOLE for leaf in leaves)
