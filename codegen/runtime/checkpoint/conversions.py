"""Convert fields whose declaration has changed, and complete objects that have new
fields.

    converted(2, "number", "f32", layers, False)    # Array(2., dtype=float32)
    converted((block, block), "stack", "", layers, False)   # one block, of stacked arrays

Each keeps every value exactly, or is `Wrong`.
"""

import functools
import math
import operator
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..declared import Shaped
from ..dims import expand_axes, stable_hash
from ..evolution import Type, format_type
from ..init import initial_value
from ..keys.conversion import Converted
from ..keys.messages import format_line
from ..keys.names import content_of, is_kind
from ..leaves import Leaf, map_leaves
from ..shapes import SCALARS
from ..shapes.dimensions import Sizes, is_variadic, object_shapes
from ..sharing import HOLE
from ..stacks import stack, unstack
from .differences import noun
from .documents import MISFITS, Wrong, is_below
from .schemas import dtype_of, is_array_type

# JAX's stubs do not type its parameters.
_struct: Final[Any] = jax.ShapeDtypeStruct


class Layers(NamedTuple):
    """The stacks that contain an object: their layer counts and their keys."""

    # The values that `init` folds into its key on the way to the object. A stack is
    # given by its path.
    steps: tuple[int | str, ...]
    arrays: Mapping[str, Any]
    key: Any

    def counts(self) -> tuple[int, ...]:
        """Return the number of layers of each stack."""
        paths = [step for step in self.steps if isinstance(step, str)]
        of = (one for name, one in self.arrays.items() if is_below(name, paths[-1]))
        shapes = {tuple(one.shape[: len(paths)]) for one in of} if paths else {()}
        if len(shapes) != 1 or len(counts := shapes.pop()) < len(paths) or 0 in counts:
            raise Wrong(
                "is in a stack whose arrays do not determine the number of layers of "
                "its new fields: write a `migrate`"
            )
        return counts

    def key_of(self, index: Sequence[int]) -> Any:
        """Return the key that `init` would give to an object of a layer."""
        if self.key is None:
            return None
        key, layers = self.key, iter(index)
        for step in self.steps:
            own = next(layers) if isinstance(step, str) else step
            key = jax.random.fold_in(key, own)
        return key


def convert(
    value: Any, how: str, declared: str, layers: Layers, is_static: bool
) -> Any:
    """Return a value of a field whose declaration has changed, in its new form."""
    if how == "number" and is_static:
        return _plain_number(value, declared)
    if how == "number":
        number = _exact_number(value, declared)
        counts = layers.counts()
        return jnp.broadcast_to(number, counts) if counts else number
    if any(isinstance(step, str) for step in layers.steps):
        raise Wrong("cannot be converted inside a stack: write a `migrate`")
    try:
        return stack(value) if how == "stack" else unstack(value)
    except (TypeError, ValueError) as error:
        raise Wrong(f"cannot be converted: {error}") from None


def widen(value: Any, declared: Type) -> Any:
    """Return an array in the dtype that a type declares for its kind."""
    kinds = np.floating, np.signedinteger, np.unsignedinteger, np.complexfloating
    for one in filter(is_array_type, declared.members):
        dtype = np.dtype(dtype_of(one.name))
        if any(is_kind(value.dtype, k) and is_kind(dtype, k) for k in kinds):
            if jax.dtypes.canonicalize_dtype(dtype) == dtype:
                return value.astype(dtype)
            raise Wrong(
                f"becomes {dtype}, which JAX supports only with `jax_enable_x64`"
            )
    raise Wrong(
        f"is {noun(value)}, for which `{format_type(declared)}` has no wider dtype"
    )


def _exact_number(value: Any, word: str) -> Any:
    """Return a number in the form that a field of a type holds."""
    refusal = f"was saved as {format_line(value)}, which cannot be converted to `{word}` without loss"
    try:
        if word in SCALARS:
            number = SCALARS[word][0](value)
        else:
            with np.errstate(all="ignore"):
                number = jnp.asarray(np.asarray(value).astype(dtype_of(word)))
        held = np.asarray(number).item()
    except MISFITS:
        raise Wrong(refusal) from None
    is_same = held == value or (held != held and value != value)  # noqa: PLR0124
    is_same &= isinstance(held, bool) == isinstance(value, bool)
    signs = [math.copysign(1, one) for one in (held, value) if isinstance(one, float)]
    if not is_same or len({*signs}) > 1:
        raise Wrong(refusal)
    return number


def _plain_number(value: Any, word: str) -> Any:
    """Return a number of a dynamic field as a static one of a type."""
    if getattr(value, "shape", ()) or isinstance(value, jax.ShapeDtypeStruct):
        raise Wrong("was saved as an array, which cannot become a static number")
    return _exact_number(np.asarray(value).item(), word)


def migrate(cls: Any, functions: Sequence[str], entries: dict[str, Any]) -> Any:
    """Return the object that migration functions create from earlier entries, applied
    in order.
    """
    for path in functions:
        try:
            result: Any = pkgutil.resolve_name(path)(entries)
        except Exception as error:  # User code may raise anything.
            what = f"cannot be migrated by `{path}`: {type(error).__name__}: {error}"
            raise Wrong(what) from error
        if not isinstance(result, dict):
            kind = type(result).__name__
            raise Wrong(
                f"is migrated by `{path}`, which must return a dict of entries, but "
                f"returned {kind}"
            )
        entries = result
    names = {field.name for field in cls.__dataclass_fields__.values()}
    if surplus := entries.keys() - names:
        what = f"`{min(surplus)}`, which is not a field of the class"
        raise Wrong(f"is migrated by `{functions[-1]}`, which returned {what}")
    return _construct(cls, entries)


def _initialize(
    cls: Any, values: dict[str, Any], names: Sequence[str], key: Any
) -> Any:
    """Return an object whose new fields get their values from their `init=`."""
    if not names:
        return _construct(cls, values)
    record = cls.__codegen_record__
    fields: Mapping[str, Any] = object_shapes(record, None, "").fields
    obj = _construct(cls, {**values, **dict.fromkeys(names, _struct((), jnp.float32))})
    sizes = _agreed_sizes(obj)
    for dim, paths in record.shapes.sizes.items():
        sizes[dim] = (operator.attrgetter(paths[0])(obj), "")
    for name in names:
        shape: Any = fields.get(name)
        size: list[Any] = (
            [*map(sizes.value, shape.dims)] if isinstance(shape, Shaped) else [None]
        )
        if None in size:
            what = f"has a new field `{name}` of unknown size"
            raise Wrong(f"{what}: write a `migrate`")
        struct = _struct(tuple(size), jax.dtypes.canonicalize_dtype(shape.dtype))
        own = jax.random.fold_in(key, stable_hash(name))
        values = {**values, name: initial_value(struct, shape, None, own, name, {})}
    return _construct(cls, values)


def fill_new_fields(
    cls: Any,
    values: dict[str, Any],
    names: Sequence[str],
    layers: Layers,
    is_traced: bool,
) -> Any:
    """Return an object with its new fields filled in, some by `init=`; in stacks, layer
    by layer.
    """
    counts = layers.counts() if is_traced else ()
    if not counts:
        return _initialize(cls, values, names, layers.key_of(()))
    fields = cls.__codegen_record__.data_fields
    old = {name: values[name] for name in fields if name in values}

    def new(index: tuple[int, ...]) -> dict[str, Any]:
        layer = jax.tree_util.tree_map(operator.itemgetter(index), old)
        obj = _initialize(cls, {**values, **layer}, names, layers.key_of(index))
        return {name: getattr(obj, name) for name in fields if name not in values}

    def stacked(*leaves: Any) -> Any:
        whole = jnp.stack([jnp.asarray(content_of(leaf)) for leaf in leaves])
        return whole.reshape(*counts, *whole.shape[1:])

    try:
        initial = jax.tree_util.tree_map(stacked, *map(new, np.ndindex(*counts)))
    except (TypeError, ValueError, IndexError) as error:
        raise Wrong(
            f"is in a stack, where new fields cannot be created: {error}"
        ) from None
    return _construct(cls, {**values, **initial})


def _agreed_sizes(obj: Any) -> Sizes:
    """Return the sizes on which all arrays of an object agree."""
    sizes: dict[Any, set[int]] = {}

    def collect(leaf: Leaf) -> None:
        shape: Sequence[int] = getattr(leaf.value, "shape", ())
        axes = expand_axes(leaf) if shape and leaf.has_rank else []
        for axis, size in zip(axes, shape, strict=False):
            if axis.dim != "_" and not is_variadic(axis.dim):
                sizes.setdefault(axis.dim, set()).add(size)

    map_leaves(obj, collect)
    return Sizes({dim: (one.pop(), "") for dim, one in sizes.items() if len(one) == 1})


def _construct(cls: Any, values: Mapping[str, Any]) -> Any:
    """Return an object from its constructor, which applies the defaults."""
    record, arguments = cls.__codegen_record__, dict(values)
    for owner, *borrowers in record.shares:
        for path in borrowers:
            if arguments.get(path[-1]) is HOLE:
                arguments[path[0]] = functools.reduce(
                    getattr, owner[1:], arguments[owner[0]]
                )
    for name in arguments.keys() & {*record.converted}:
        arguments[name] = Converted(arguments[name])
    try:
        return record.create(**arguments)
    except (TypeError, ValueError) as error:
        raise Wrong(f"cannot be constructed: {error}") from None
