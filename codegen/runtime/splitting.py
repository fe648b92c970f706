"""Split a value into donated leaves, kept leaves and a hashable structure.

donated, kept = [], []
split(plate, donated, kept)     # Plate's key: donated == [plate.u], kept == [...]
"""

from collections.abc import Hashable
from typing import Any

import jax

from .classes.values import exact_treedef
from .keys.names import is_generated


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
    kind: Any = type(value)
    if is_generated(value):
        record = kind.__codegen_record__
        # `record.split` treats the replacement of an array as a leaf.
        if not is_masked and (take := record.split):
            structure: Hashable = take(value, donated, kept)
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
    return (exact_treedef(treedef), *parts)
