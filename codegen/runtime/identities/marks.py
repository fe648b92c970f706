# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What stands in a tree for one object at several places.

    (m, m)      # First on m's first leaf, and in m's second place an Again: no leaves

The nodes wrap leaves or have none, so that a prefix of the tree without them, such as
vmap's `in_axes`, is a prefix of the tree with them. They say where an object is in
levels of the tree: so a part of the tree can be read alone, as a gradient by one of
several arguments, and so can a tree within each leaf of a tree, as a Hessian.
"""

import dataclasses
import threading
from typing import Any, NamedTuple, TypeAlias

import jax

# A number within one argument; for the others, the path of the first place.
Name: TypeAlias = int | str


class Mark(NamedTuple):
    """An object that is at several places."""

    # How many levels above its node the object is; 0: it is in the node's place.
    up: int
    # How many levels above is the root within which the name is unique.
    out: int
    name: Name
    # The attributes that lead from there to what is meant.
    down: tuple[str, ...] = ()
    # Where the place is, for errors, if in another argument. Example: "args[1].table"
    at: str = ""


class _Seen(threading.local):
    """How many nodes this thread has made or taken apart: whether a tree has any."""

    count = 0


seen = _Seen()


class First:
    """A leaf that is at several places, or the first leaf of objects that are."""

    # No frozen dataclasses: these are made in each call.
    __slots__ = ("leaf", "marks")

    def __init__(self, marks: tuple[Mark, ...], leaf: Any) -> None:
        self.marks = marks
        self.leaf = leaf


class Again:
    """A place of what has been at another place before."""

    __slots__ = ("about",)

    def __init__(self, about: tuple[Mark, tuple[Mark, ...]]) -> None:
        # What was before; and what begins here and is at several places, too.
        self.about = about


@dataclasses.dataclass(frozen=True, slots=True)
class Whole:
    """A place of an object that is at several places and has no leaves."""

    number: int
    value: Any


class _Here:
    """No step of a path: a leaf has the same path with and without its node."""

    def __repr__(self) -> str:
        return ""


_HERE = _Here()


def _flatten_first(node: First) -> tuple[tuple[Any], tuple[Mark, ...]]:
    seen.count += 1
    return (node.leaf,), node.marks


def _unflatten_first(marks: tuple[Mark, ...], children: Any) -> First:
    seen.count += 1
    (leaf,) = children
    return First(marks, leaf)


def _flatten_first_with_keys(
    node: First,
) -> tuple[tuple[tuple[Any, Any]], tuple[Mark, ...]]:
    seen.count += 1
    return ((_HERE, node.leaf),), node.marks


def _flatten_again(node: Again) -> tuple[tuple[()], tuple[Mark, tuple[Mark, ...]]]:
    seen.count += 1
    return (), node.about


def _unflatten_again(aux: tuple[Mark, tuple[Mark, ...]], children: Any) -> Again:
    seen.count += 1
    return Again(aux)


def _flatten_whole(node: Whole) -> tuple[tuple[()], tuple[int, Any]]:
    seen.count += 1
    return (), (node.number, node.value)


def _unflatten_whole(aux: tuple[int, Any], children: Any) -> Whole:
    seen.count += 1
    return Whole(*aux)


jax.tree_util.register_pytree_with_keys(
    First, _flatten_first_with_keys, _unflatten_first, _flatten_first
)
jax.tree_util.register_pytree_node(Again, _flatten_again, _unflatten_again)
jax.tree_util.register_pytree_node(Whole, _flatten_whole, _unflatten_whole)
