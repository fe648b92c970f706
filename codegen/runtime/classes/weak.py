# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Weak types end where a schema declares an array, so that they cost no second trace.

    x = jnp.full(4, 0.5)        # of weak type: with a bfloat16 it would be one
    strengthened(x)             # float32[4], as of `jnp.full(4, 0.5, jnp.float32)`

JAX compiles a program of its own for an argument of weak type. Looking at each argument
of each call would take longer than it may; when JAX traces for one, the trace says so
and ends, and from then on the arguments that were found are looked at.
"""

from collections.abc import Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp

from ..dims.leaves import Leaf, map_leaves
from .split import is_generated

_NUMBERS: Final = (int, float, complex)
# JAX leaves them untyped.
_Abstract: Final[Any] = jax.ShapeDtypeStruct
_convert: Final[Any] = jax.lax.convert_element_type


# What asking for the type of what is no array raises; a consumed one says that it is.
_OF_NO_ARRAY: Final = (AttributeError, RuntimeError)


class WeakLeaf(Exception):
    """Ends a trace that would be another one only because of a weak type."""


def is_weak(value: Any) -> bool:
    """Tell whether JAX would give a value a weak type, which costs a second trace."""
    try:
        weak: bool = value.aval.weak_type
    except _OF_NO_ARRAY:
        return _is_number(value)
    return weak


def has_weak_type(leaf: Any) -> bool:
    """Tell whether JAX takes a leaf, a number among them, for one of weak type."""
    return _is_number(leaf) or getattr(leaf, "weak_type", False)


def _is_number(value: Any) -> bool:
    """Tell whether JAX takes a value for a number, subclasses too; NumPy's have a dtype."""
    return isinstance(value, _NUMBERS) and not hasattr(value, "dtype")


def strengthened(leaf: Any) -> Any:
    """Return a leaf of its dtype that has no weak type."""
    if not has_weak_type(leaf):
        return leaf
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return _Abstract(leaf.shape, leaf.dtype, sharding=leaf.sharding)
    array = jnp.asarray(leaf)
    return _convert(array, array.dtype)


def strengthened_at(leaves: Sequence[Any], positions: Sequence[int]) -> list[Any]:
    """Return leaves of which those at some positions have no weak type."""
    strong = list(leaves)
    for position in positions:
        strong[position] = strengthened(strong[position])
    return strong


def strengthened_result(result: Any) -> Any:
    """Return a result whose objects hold no weak type in fields that are arrays."""
    if not any(map(has_weak_type, jax.tree_util.tree_leaves(result))):
        return result

    def strengthen(value: Any) -> Any:
        return map_leaves(value, _strong_leaf) if is_generated(value) else value

    return jax.tree_util.tree_map(strengthen, result, is_leaf=is_generated)


def strong_leaves(tree: Any) -> list[Any]:
    """Return the leaves that are declared as arrays, of the objects of a tree."""
    found: list[Any] = []

    def collect(leaf: Leaf) -> Any:
        if leaf.is_strong:
            found.append(leaf.value)
        return leaf.value

    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            map_leaves(value, collect)
    return found


def _strong_leaf(leaf: Leaf) -> Any:
    return strengthened(leaf.value) if leaf.is_strong else leaf.value
