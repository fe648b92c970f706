"""Take a value apart into donated leaves, kept leaves and a hashable structure.

donated, kept = [], []
split(plate, donated, kept)     # Plate's key: donated == [plate.u], kept == [...]
"""

from collections.abc import Hashable
from typing import Any

import jax

from .classes.trees import exact
from .keys.names import is_generated


def split(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    """Append the leaves of a value; return its structure.

    Generated classes say themselves which of their leaves are donated. Leaves outside
    them are donated; where nothing is, as below a dynamic field, both lists are one. Two
    values of equal structure append as many leaves, in the same order.
    """
    kind: Any = type(value)
    if is_generated(value):
        record = kind.__codegen_record__
        if take := getattr(record, "split", None):  # Earlier versions have none.
            structure: Hashable = take(value, donated, kept)
            return structure
        children, key = record.flatten(value)
        found: list[Hashable] = [key]
        for name, child in zip(record.data_fields, children, strict=True):
            first = donated if name in record.donated_fields else kept
            found.append(split(child, first, kept))
        return tuple(found)
    if value is None:
        return None
    if kind is tuple or kind is list:
        return (kind, *[split(item, donated, kept) for item in value])
    # JAX compares keys by `==` alone, for which 1 is True.
    if kind is dict and {*map(type, value)} <= {str}:
        keys = sorted(value)
        return (dict, *keys, *[split(value[key], donated, kept) for key in keys])
    leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_generated)
    if len(leaves) == 1 and leaves[0] is value:
        donated.append(value)
        return "leaf"
    return (exact(treedef), *[split(leaf, donated, kept) for leaf in leaves])
