"""Complete objects whose schema has changed: new fields, and migrations.

    migrate(Block, ["migrations:split"], {"qkv": ...})      # Block(q=..., k=..., v=...)

A new field has its default, or the value that `init` gives it.
"""

import functools
import operator
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..declared import Shaped
from ..dims import stable_hash
from ..init import initial_value
from ..keys.conversion import Converted
from ..keys.names import content_of
from ..shapes import SizeFacts
from ..shapes.dimensions import Sizes, object_shapes
from ..sharing import HOLE
from .documents import Wrong, is_below
from .reading import SavedPlace


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
    if surplus := entries.keys() - {*cls.__dataclass_fields__}:
        what = f"`{min(surplus)}`, which is not a field of the class"
        raise Wrong(f"is migrated by `{functions[-1]}`, which returned {what}")
    return _construct(cls, entries)


def with_new_fields(
    cls: Any,
    values: dict[str, Any],
    names: Sequence[str],
    place: SavedPlace,
    arrays: Mapping[str, Any],
    key: Any,
) -> Any:
    """Return an object with its new fields; in a stack, layer by layer.

    Args:
        cls: the class
        values: the saved fields
        names: the new fields that have an `init=`
        place: where the object is
        arrays: all saved arrays, by path
        key: the random key for `init=`
    """
    fields = cls.__codegen_record__.data_fields
    old = {name: values[name] for name in fields if name in values}
    stacks = [step for step in place.steps if isinstance(step, str)]
    if not stacks or len(old) == len(fields):
        return _initialize(cls, values, names, _key_of(place, (), key))
    # All arrays of a stack begin with the axes of its layers.
    own = (one for path, one in arrays.items() if is_below(path, stacks[-1]))
    counts = {tuple(one.shape[: len(stacks)]) for one in own}
    if len(counts) != 1 or 0 in min(counts) or len(min(counts)) < len(stacks):
        raise Wrong(
            "is in a stack whose arrays do not determine the number of layers of its "
            "new fields: write a `migrate`"
        )
    layers: list[dict[str, Any]] = []
    try:
        for index in np.ndindex(*min(counts)):
            layer = jax.tree_util.tree_map(operator.itemgetter(index), old)
            layer_key = _key_of(place, index, key)
            obj = _initialize(cls, {**values, **layer}, names, layer_key)
            layers.append({n: getattr(obj, n) for n in fields if n not in old})

        def stacked(*leaves: Any) -> Any:
            whole = jnp.stack([jnp.asarray(content_of(leaf)) for leaf in leaves])
            return whole.reshape(*min(counts), *whole.shape[1:])

        new = jax.tree_util.tree_map(stacked, *layers)
    except (TypeError, ValueError, IndexError) as error:
        raise Wrong(
            f"is in a stack, where new fields cannot be created: {error}"
        ) from None
    return _construct(cls, {**values, **new})


def _key_of(place: SavedPlace, index: Sequence[int], key: Any) -> Any:
    """Return the key that `init` gives to an object of a layer."""
    layers = iter(index)
    for step in () if key is None else place.steps:
        own = next(layers) if isinstance(step, str) else step
        key = jax.random.fold_in(key, own)
    return key


def _initialize(
    cls: Any, values: dict[str, Any], names: Sequence[str], key: Any
) -> Any:
    """Return an object whose new fields get their values from their `init=`."""
    record = cls.__codegen_record__
    shapes: Mapping[str, Any] = object_shapes(record, None, "").fields if names else {}
    facts = SizeFacts()
    facts.is_open = True
    try:
        for name in shapes.keys() & values.keys():
            facts.value(shapes[name], values[name], name)
        sizes = facts.solve(Sizes())
    except ValueError as error:
        raise Wrong(f"has new fields of unknown size: {error}") from None
    for dim, ways in record.shapes.sizes.items() if names else ():
        field, *rest = ways[0].split(".")
        sizes[dim] = (functools.reduce(getattr, rest, values[field]), "")
    new: dict[str, Any] = {}
    for name in names:
        shape = shapes.get(name)
        dims = shape.dims if isinstance(shape, Shaped) else ("",)
        size: list[Any] = [sizes.value(dim) for dim in dims]
        if None in size or not isinstance(shape, Shaped):
            what = f"has a new field `{name}` of unknown size"
            raise Wrong(f"{what}: write a `migrate`")
        dtype = jax.dtypes.canonicalize_dtype(shape.dtype)
        struct: Any = jax.ShapeDtypeStruct
        own = jax.random.fold_in(key, stable_hash(name))
        array = struct(tuple(size), dtype)
        new[name] = initial_value(array, shape, None, own, name, {})
    return _construct(cls, {**values, **new})


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
