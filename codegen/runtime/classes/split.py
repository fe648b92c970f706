# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Take a value apart into donated leaves, kept leaves and a hashable structure.

    donated, kept = [], []
    split(plate, donated, kept)     # the structure: (Plate's key, ...)
    donated                         # [plate.u]
    kept                            # [plate.alpha, plate.t]

Generated classes say themselves which of their leaves are donated. Two values of equal
structure append as many leaves, in the same order; with a numbered slot in the place of
each leaf, that order shows.
"""

import dataclasses
from collections.abc import Hashable
from typing import Any, Final

import jax

from .structures import Structure

LEAF: Final = "leaf"


@dataclasses.dataclass(frozen=True, slots=True)
class Slot:
    """A numbered place of a leaf among the flattened arguments."""

    index: int


def split(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    """Append the leaves of a value; return its structure.

    Leaves outside generated classes are donated; where nothing is, as below a dynamic
    field, both lists are one.
    """
    kind = type(value)
    record = getattr(kind, "__codegen_record__", None)
    if record is not None:
        structure: Hashable = record.split(value, donated, kept)
        return structure
    if value is None:
        return None
    if kind is tuple or kind is list:
        return (kind, *[split(item, donated, kept) for item in value])
    if kind is dict:
        keys = sorted(value)
        # JAX compares keys by `==` alone, for which 1 is True.
        if not keys or {*map(type, keys)} == {str}:
            return (dict, *keys, *[split(value[key], donated, kept) for key in keys])
    return _split_foreign(value, donated, kept)


def _split_foreign(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_generated)
    if len(leaves) == 1 and leaves[0] is value:
        donated.append(value)
        return LEAF
    structures = [split(leaf, donated, kept) for leaf in leaves]
    return (Structure(treedef), *structures)


def is_generated(value: Any) -> bool:
    """Tell whether a value is an object of a generated class."""
    return hasattr(type(value), "__codegen_record__")


def is_of(value: Any, name: str | None) -> bool:
    """Tell whether a value is of a class of a schema, known by its module and name.

    The module is that of the schema, below whatever package it was generated into.
    """
    if name is None:
        return True
    if not is_generated(value):
        return False
    kind = type(value)
    full = kind.__codegen_record__.package + name
    return any(f"{one.__module__}.{one.__name__}" == full for one in kind.__mro__)
