"""Objects as leaves and a structure: compared exactly, and what is found to differ.

diff(plate, other)              # u: f32[125,3] != f32[125,3], first at [0, 2]: 1.0 != 3.0
"""

import dataclasses
import functools
import importlib
from collections.abc import Hashable, Iterator
from typing import Any, Final

import jax
import numpy as np

from ..keys.conversion import is_same
from ..keys.messages import a_or_an, flat, mistyped
from ..keys.names import is_frozendict, is_generated, is_hole, is_kind, other_class
from .arrays import NUMBERS

_ARRAYS: Final = (jax.Array, np.ndarray, np.generic)
# What asking for the numbers of what has none raises: deleted, elsewhere, keys; or equal.
_OF_NO_NUMBERS: Final = (RuntimeError, TypeError, IndexError)


def same_tree(one: Any, other: Any) -> bool:
    mine, treedef = jax.tree_util.tree_flatten(one)
    theirs, its = jax.tree_util.tree_flatten(other)
    return same_structure(treedef, its) and all(map(equal_leaves, mine, theirs))


def equal_leaves(left: Any, right: Any) -> bool:
    """Compare two leaves by dtype, shape and values; a NaN is equal to a NaN.

    Those that are neither arrays nor numbers are compared by `==`.

    Raises:
        jax.errors.TracerArrayConversionError: one is traced, so its values are unknown
    """
    if left is right:
        return True
    arrays = [isinstance(leaf, _ARRAYS) for leaf in (left, right)]
    if all(arrays):
        is_alike = left.dtype == right.dtype and left.shape == right.shape
        if is_alike and is_kind(left.dtype, jax.dtypes.prng_key):
            left, right = jax.random.key_data(left), jax.random.key_data(right)
    elif _is_scalar(left) and _is_scalar(right):
        # A weakly typed scalar is a number before a call and a 0-d array after it.
        is_alike = np.asarray(left).dtype.kind == np.asarray(right).dtype.kind
    else:
        # A sharding, say, or what was consumed: an array would ask for its elements.
        return not any(arrays) and bool(left == right)
    if not is_alike:
        return False
    # Here, as `array_equal` would hide the error of what is traced.
    left, right = np.asarray(left), np.asarray(right)
    return np.array_equal(left, right, equal_nan=is_kind(left.dtype, np.inexact))


def _is_scalar(leaf: Any) -> bool:
    return type(leaf) in NUMBERS or (isinstance(leaf, _ARRAYS) and leaf.shape == ())


@functools.cache
def structures() -> Any:
    """Return the part for pytrees of others, which is written where a schema lets some in."""
    try:
        return importlib.import_module("..structures", __package__)
    except ModuleNotFoundError:
        return None


def exact(treedef: Any) -> Hashable:
    """Return what is compared in place of a treedef.

    Raises:
        TypeError: it is of another's type, and no schema lets in pytrees of others
    """
    if others := structures():
        compared: Hashable = others.Structure(treedef)
        return compared
    kind = treedef.node_data()[0]
    raise TypeError(
        f"a `{kind.__qualname__}` stands in the place of an array, and is none: a pytree of "
        "a type that no schema declares takes a field or an argument of this type, or `Any`"
    )


def same_structure(one: Any, other: Any) -> bool:
    """Tell whether two treedefs are exactly the same.

    What no tag can be made of, as of a list, is compared as JAX does, and by its text.
    """
    if one != other:
        return False
    try:
        return exact(one) == exact(other)
    except TypeError:
        return repr(one) == repr(other)


class Differences(dict[str, tuple[Any, Any]]):
    """What differs, by its path, with both values; printed, a line for each."""

    def __repr__(self) -> str:
        lines = [f"{path}: {_described(*pair)}" for path, pair in self.items()]
        return "\n".join(lines) or "no difference"


def diff(one: Any, other: Any) -> Differences:
    """Return the fields, by path, in which two objects of a class differ.

    Raises:
        TypeError: they are no objects of one generated class
    """
    kind = type(one)
    if type(other) is not kind or not is_generated(one):
        wanted = f"{a_or_an(kind.__qualname__)} of a generated class, as the first is"
        raise mistyped(other, "diff", "other", wanted, other_class(other, kind))
    return Differences(compared(one, other, "", is_static=False))


def compared(
    one: Any, other: Any, path: str, *, is_static: bool
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield what differs at a path and below it."""
    if one is other:
        return
    mine, theirs = (
        fields_of(each)
        if is_static and dataclasses.is_dataclass(each)
        else parts_of(each)
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
            yield from compared(*pair, f"{path}{dot}{step}", is_static=below)
    elif not (is_same if is_static else same_tree)(one, other):
        yield path, (one, other)


def parts_of(value: Any) -> dict[str, Any]:
    """Return what a value holds, by the step that leads there; nothing of a leaf."""
    kind: Any = type(value)
    if is_generated(value):
        return fields_of(value)
    if kind is list or isinstance(value, tuple):
        steps = getattr(kind, "_fields", [f"[{i}]" for i in range(len(value))])
        return dict(zip(steps, value, strict=True))
    if kind is dict or is_frozendict(value):
        return {f"[{key!r}]": item for key, item in value.items()}
    return {}


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass, as far as the object has them."""
    names = [field.name for field in dataclasses.fields(value)]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _described(one: Any, other: Any) -> str:
    """Show two values, and of two arrays that look alike where they begin to differ."""
    text = f"{flat(one)} != {flat(other)}"
    return text if flat(one) != flat(other) else text + first_difference(one, other)


def first_difference(one: Any, other: Any) -> str:
    """Return the place and the numbers where two arrays begin to differ; of others nothing."""
    try:
        mine, theirs = np.asarray(one), np.asarray(other)
        differ = (mine != theirs) & ~(np.isnan(mine) & np.isnan(theirs))
        place = tuple(np.argwhere(differ).tolist()[0])
    except _OF_NO_NUMBERS:
        return ""
    return f", first at {[*place]}: {mine[place]!s} != {theirs[place]!s}"


def filled(obj: Any, leaf: Any, fields: dict[str, Any]) -> Any:
    """Return an object like another, with a leaf or a whole field in each place."""
    record = type(obj).__codegen_record__
    children, key = record.flatten(obj)
    held = dict(zip(record.data_fields, children, strict=True))
    own = [name for name, child in held.items() if not _is_lent(child)]
    if wrong := [name for name in fields if name not in own]:
        raise TypeError(
            f"`{record.cls.__qualname__}.like` cannot fill `{wrong[0]}`: it fills the fields "
            f"{', '.join(f'`{one}`' for one in own)}. Give a static value to `replace`, "
            "before it, and a shared part as that of its owner"
        )
    rest = {name: child for name, child in held.items() if name not in fields}
    held |= {**jax.tree_util.tree_map(lambda _: leaf, rest), **fields}
    return record.unflatten(key, tuple(held.values()))


def _is_lent(child: Any) -> bool:
    """Tell whether all that a field holds is another's, and stands there."""
    leaves = jax.tree_util.tree_leaves(child, is_leaf=is_hole)
    return bool(leaves) and all(map(is_hole, leaves))
