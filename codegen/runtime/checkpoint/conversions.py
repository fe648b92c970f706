"""What becomes of a field whose declaration has changed, and of an object that has new ones.

    exact_number(2, "f32")      # Array(2., dtype=float32)
    restacked((block, block), "stack")      # one block with arrays of a leading axis

Each keeps every value exactly, or is `Wrong`.
"""

import functools
import math
import operator
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from ..dims.abstract import hashed
from ..dims.bases import initial_value, real_axes
from ..keys.conversion import Converted
from ..keys.names import is_hole, is_kind
from ..leaves import Leaf, map_leaves
from ..shapes.declared import Shaped, declared_of, is_variadic
from ..shapes.sizes import Sizes
from ..stacks import stack, unstack
from .documents import MISFITS, Wrong
from .fitting import is_array_type, noun, text
from .schemas import Type

_LETTERS: Final = {
    "f": "float",
    "bf": "bfloat",
    "i": "int",
    "u": "uint",
    "c": "complex",
}
_WIDENED: Final = (
    np.floating,
    np.signedinteger,
    np.unsignedinteger,
    np.complexfloating,
)
# JAX does not say what it takes.
_struct: Final[Any] = jax.ShapeDtypeStruct
# What Python's own numbers are called.
NUMBERS: Final[dict[str, Any]] = {
    "int": int,
    "float": float,
    "complex": complex,
    "bool": bool,
}


def dtype_of(word: str) -> str:
    """Return NumPy's name of a dtype. Example: "float32" of "f32"."""
    match = re.fullmatch(r"([a-z]+)(\d+)", word)
    return f"{_LETTERS[match[1]]}{match[2]}" if match else word


def widened(value: Any, declared: Type) -> Any:
    """Return an array of the dtype that a type has for its kind.

    Raises:
        Wrong: there is none, or JAX does not have it
    """
    for one in declared.members:
        name = dtype_of(one.name)
        dtype = np.dtype(name if is_array_type(one) else object)
        if any(is_kind(value.dtype, k) and is_kind(dtype, k) for k in _WIDENED):
            if jax.dtypes.canonicalize_dtype(dtype) != dtype:
                raise Wrong(
                    f"becomes {name}, which JAX holds with `jax_enable_x64` alone"
                )
            return value.astype(dtype)
    raise Wrong(f"is {noun(value)}, which `{text(declared)}` has no wider dtype for")


def exact_number(value: Any, word: str) -> Any:
    """Return a number as a field of a type has it.

    Raises:
        Wrong: the type does not hold it exactly
    """
    made: Any = None
    try:
        with np.errstate(all="ignore"):
            made = (
                NUMBERS[word](value)
                if word in NUMBERS
                else jnp.asarray(np.asarray(value).astype(dtype_of(word)))
            )
        held = np.asarray(made).item()
    except MISFITS:
        held = None
    is_same = held == value or (held != held and value != value)  # noqa: PLR0124
    is_same &= isinstance(held, bool) == isinstance(value, bool)
    signs = [math.copysign(1, one) for one in (held, value) if isinstance(one, float)]
    if not is_same or len({*signs}) > 1:
        raise Wrong(f"was saved as {value!r}, which `{word}` does not hold exactly")
    return made


def plain_number(value: Any, word: str) -> Any:
    """Return a number of a dynamic field as a static one of a type has it.

    Raises:
        Wrong: it is no single number, or the type does not hold it exactly
    """
    if not isinstance(value, bool | int | float | complex):
        if (
            isinstance(value, jax.ShapeDtypeStruct)
            or getattr(value, "shape", None) != ()
        ):
            raise Wrong("is an array now saved, of which no static number can be made")
        value = np.asarray(value)[()].item()
    return exact_number(value, word)


def restacked(value: Any, how: str) -> Any:
    """Return one object of several, where they are alike, or several of one.

    Raises:
        Wrong: they differ
    """
    try:
        return stack(value) if how == "stack" else unstack(value)
    except (TypeError, ValueError) as error:
        raise Wrong(f"cannot be converted: {error}") from None


def migrated(cls: Any, functions: Sequence[str], entries: dict[str, Any]) -> Any:
    """Return an object of what functions make of earlier entries, one after the other.

    Raises:
        Wrong: they do not give what the class takes
    """
    for path in functions:
        try:
            made: Any = pkgutil.resolve_name(path)(entries)
        except Exception as error:  # Whatever it is.
            raise Wrong(
                f"cannot be migrated by `{path}`: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(made, dict):
            raise Wrong(
                f"`{path}` gives a dict of entries, and gave {type(made).__name__}"
            )
        entries = made
    names = {field.name for field in cls.__dataclass_fields__.values()}
    if surplus := entries.keys() - names:
        raise Wrong(
            f"`{functions[-1]}` gives `{min(surplus)}`, which is no field of the class"
        )
    return constructed(cls, entries)


def initialised(
    cls: Any, values: dict[str, Any], names: Sequence[str], key: Any
) -> Any:
    """Return an object of which some fields are new, made by their `init=`.

    Raises:
        Wrong: their sizes cannot be told
    """
    record = cls.__codegen_record__
    shapes: dict[str, Any] = {
        name: declared_of(record, None, "").fields.get(name) for name in names
    }
    if not all(isinstance(shape, Shaped) for shape in shapes.values()):
        raise Wrong("has new fields with `init=` that are no arrays: write a `migrate`")
    holes = {name: _struct((), jnp.float32) for name in names}
    obj = constructed(cls, {**values, **holes})
    sizes = _agreed_sizes(obj)
    for dim, paths in record.shapes.sizes.items():
        sizes[dim] = (operator.attrgetter(paths[0])(obj), "")
    for name, shape in shapes.items():
        size = [sizes.value(dim) for dim in shape.dims]
        if None in size:
            raise Wrong(
                f"has a new field `{name}`, whose size is said nowhere: write a `migrate`"
            )
        dtype = jax.dtypes.canonicalize_dtype(shape.dtype)
        struct = _struct(tuple(size), dtype)
        own = jax.random.fold_in(key, hashed(name))
        values[name] = initial_value(struct, shape, None, own, name, {})
    return constructed(cls, values)


def layered(
    make: Callable[[tuple[int, ...], dict[str, Any]], Any],
    cls: Any,
    values: dict[str, Any],
    counts: tuple[int, ...],
) -> Any:
    """Return an object in stacks, whose new fields are made layer by layer, as by `init`.

    Raises:
        Wrong: what there was has no layers
    """
    names = cls.__codegen_record__.data_fields
    old = {name: values[name] for name in names if name in values}

    def new(index: tuple[int, ...]) -> dict[str, Any]:
        layer = jax.tree_util.tree_map(operator.itemgetter(index), old)
        made = make(index, {**values, **layer})
        return {name: getattr(made, name) for name in names if name not in values}

    def stacked(*leaves: Any) -> Any:
        whole = jnp.stack([jnp.asarray(leaf) for leaf in leaves])
        return whole.reshape(*counts, *whole.shape[1:])

    try:
        made = jax.tree_util.tree_map(stacked, *map(new, np.ndindex(*counts)))
    except (TypeError, ValueError, IndexError) as error:
        raise Wrong(f"is in a stack that cannot get new fields: {error}") from None
    return constructed(cls, {**values, **made})


def _agreed_sizes(obj: Any) -> Sizes:
    """Return the sizes of which all arrays of an object say the same."""
    found: dict[str, set[int]] = {}

    def collect(leaf: Leaf) -> None:
        shape: Sequence[int] = getattr(leaf.value, "shape", ())
        axes = real_axes(leaf) if shape and leaf.has_rank else []
        for axis, size in zip(axes, shape, strict=False):
            if (
                isinstance(axis.dim, str)
                and axis.dim != "_"
                and not is_variadic(axis.dim)
            ):
                found.setdefault(axis.dim, set()).add(size)

    map_leaves(obj, collect)
    return Sizes({d: (one.pop(), "") for d, one in found.items() if len(one) == 1})


def constructed(cls: Any, values: Mapping[str, Any]) -> Any:
    """Return an object by its constructor, which knows the defaults.

    Raises:
        Wrong: it refuses the values
    """
    record, values = cls.__codegen_record__, dict(values)
    for owner, *borrowers in record.shares:
        for path in borrowers:
            if is_hole(values.get(path[-1])):
                part = functools.reduce(getattr, owner[1:], values[owner[0]])
                values[path[0]] = part
    converted = record.converted
    given = {
        n: Converted(value) if n in converted else value for n, value in values.items()
    }
    try:
        return cls(**given)
    except (TypeError, ValueError) as error:
        raise Wrong(f"cannot be made: {error}") from None
