"""Weak types end at a call where a schema declares an array.

    plate.like(0.5)             # as arguments and results, with leaves of weak type
    strong_leaves(plate, ...)   # those of them that are declared as arrays

JAX compiles a program of its own for an argument of weak type. Looking at each argument
of each call would take longer than it may; when JAX traces for one, the trace says so by
`WeakLeaf` and ends, and from then on the arguments that were found are looked at.
"""

from collections.abc import Iterable
from typing import Any

import jax

from ..classes.arrays import strengthened
from ..keys.names import is_generated
from ..leaves import Leaf, map_leaves


class WeakLeaf(Exception):
    """Ends a trace that would be another one only because of a weak type."""


def strengthened_at(leaves: Iterable[Any], positions: Iterable[int]) -> list[Any]:
    """Return leaves of which those at some positions have no weak type."""
    strong = list(leaves)
    for position in positions:
        strong[position] = strengthened(strong[position])
    return strong


def strong_leaves(tree: Any, *, is_array: bool) -> list[Any]:
    """Return the leaves that are declared as arrays.

    Args:
        tree: any, in which generated objects say what they declare
        is_array: whether the leaves outside of these are declared as arrays
    """
    found: list[Leaf] = []
    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            map_leaves(value, found.append)
        else:
            found.append(Leaf(value, "", is_array=is_array))
    return [leaf.value for leaf in found if leaf.is_array]
