"""Split a value into donated leaves, kept leaves and a hashable structure.

donated, kept = [], []
split(plate, donated, kept)     # Plate's key: donated == [plate.u], kept == [...]
"""

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import jax

from .classes.registration import Record
from .declared import all_of, described
from .keys.names import Generated, is_generated

Leaves: TypeAlias = list[Any]
# From an object and the lists of donated and kept leaves to the structure of the object.
Split: TypeAlias = Callable[[Any, Leaves, Leaves], Hashable]


def split(
    value: Any, donated: list[Any], kept: list[Any], is_masked: bool = False
) -> Hashable:
    """Append the leaves of a value; return its structure.

    Generated classes define which of their leaves are donated. A leaf outside of them
    is appended to `donated`. If nothing is donated, as below a dynamic field, both
    lists are the same object. Two values of equal structure append as many leaves, in
    the same order. In masked objects, as optax creates them, nodes without leaves
    replace arrays.
    """
    kind: type[Any] = type(value)
    if is_generated(value):
        record = kind.__codegen_record__
        if not is_masked:
            # It treats the replacement of an array as a leaf.
            structure: Hashable = record.split(value, donated, kept)
            return structure
        children, key = record.flatten(value)
        structures: list[Hashable] = [key]
        for name, child in zip(record.data_fields, children, strict=True):
            first = donated if name in record.donated_fields else kept
            structures.append(split(child, first, kept, is_masked))
        return tuple(structures)
    if value is None:
        return None
    if kind is tuple or kind is list:
        return (kind, *[split(item, donated, kept, is_masked) for item in value])
    # JAX compares keys only by `==`, for which 1 is True.
    if kind is dict and {*map(type, value)} <= {str}:
        keys = sorted(value)
        return (dict, *keys, *[split(value[k], donated, kept, is_masked) for k in keys])
    leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_generated)
    if len(leaves) == 1 and leaves[0] is value:
        donated.append(value)
        return "leaf"
    starts = (donated, len(donated)), (kept, len(kept))
    parts = [split(leaf, donated, kept, is_masked) for leaf in leaves]
    added = [leaf for several, start in starts for leaf in several[start:]]
    if any(isinstance(leaf, tuple) for leaf in added):
        for several, start in starts:
            del several[start:]
        parts = [split(leaf, donated, kept, True) for leaf in leaves]
    from .treedefs import Structure

    return (Structure(treedef), *parts)


def make_split(record: Record) -> Split:
    """Return the function that splits the objects of a class, as `split` does."""
    names = [*record.data_fields]
    if record.shares or not all(
        one.is_leaf for one in all_of([*record.data_fields.values()])
    ):
        return _split_fields(record)
    donated = [name for name in names if name in record.donated_fields]
    kept = [name for name in names if name not in record.donated_fields]
    take_donated, take_kept = _getter(donated), _getter(kept)

    def split_leaves(obj: Generated, donated: Leaves, kept: Leaves) -> Hashable:
        donated += take_donated(obj)
        kept += take_kept(obj)
        key: Hashable = obj.__codegen_key__
        return key

    def split_donated(obj: Generated, donated: Leaves, _: Leaves) -> Hashable:
        donated += take_donated(obj)
        key: Hashable = obj.__codegen_key__
        return key

    return split_leaves if kept else split_donated


def _getter(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    """Return the function that gets several attributes."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda obj: [getattr(obj, name) for name in names]


def _split_fields(record: Record) -> Split:
    """Return the function for a class with objects, containers or shared parts.

    Of a shared part, the owner has the leaves.
    """
    split_with_holes: Callable[..., Hashable] = split
    if record.shares:
        from .sharing import split_borrower

        split_with_holes = split_borrower
    borrowed = {path[0] for row in record.shares for path in row[1:] if len(path) == 1}
    heads = {path[0] for row in record.shares for path in row}
    # The position, name, and facts of each field that is not borrowed.
    steps = [
        (
            place,
            name,
            described(one).is_leaf,
            name in heads,
            name in record.donated_fields,
        )
        for place, (name, one) in enumerate(record.data_fields.items())
        if name not in borrowed
    ]

    def split_fields(obj: Generated, donated: Leaves, kept: Leaves) -> Hashable:
        children, key = record.flatten(obj)
        structures: list[Hashable] = [key]
        for place, name, has_one_leaf, has_holes, is_donated in steps:
            child, first = children[place], donated if is_donated else kept
            if has_one_leaf:
                first.append(child)
            elif has_holes:
                whole = getattr(obj, name)
                structures.append(split_with_holes(child, whole, first, kept))
            else:
                structures.append(split(child, first, kept))
        return tuple(structures)

    return split_fields
