# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What stands in a tree for one object at several places.

    (m, m)      # First on m's first leaf, and in m's second place an Again: no leaves

The nodes wrap leaves or have none, so that a prefix of the tree without them, such as
vmap's `in_axes`, is a prefix of the tree with them. They say where an object is in
levels of the tree: so a part of the tree can be read alone, as a gradient by one of
several arguments, and so can a tree within each leaf of a tree, as a Hessian.
"""

import functools
import threading
from typing import Any, NamedTuple, TypeAlias

import jax

# A number within one argument; for the others, the path of the first place.
Name: TypeAlias = int | str


class Alias(NamedTuple):
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


class _Here:
    """No step of a path: a leaf has the same path with and without its node."""

    def __repr__(self) -> str:
        return ""


_HERE = _Here()


def _flatten(node: "Node") -> tuple[tuple[Any, ...], Any]:
    seen.count += 1
    return node.leaves, node.about


def _flatten_with_keys(node: "Node") -> tuple[tuple[tuple[Any, Any], ...], Any]:
    seen.count += 1
    return tuple((_HERE, leaf) for leaf in node.leaves), node.about


def _unflatten(cls: type["Node"], about: Any, leaves: Any) -> "Node":
    seen.count += 1
    return cls(about, *leaves)


class Node:
    """What is not of the tree: it has one leaf, or none."""

    # No frozen dataclass: these are made in each call.
    __slots__ = ("about", "leaves")

    def __init__(self, about: Any, *leaves: Any) -> None:
        self.about = about
        self.leaves = leaves

    def __init_subclass__(cls) -> None:
        unflatten = functools.partial(_unflatten, cls)
        jax.tree_util.register_pytree_with_keys(
            cls, _flatten_with_keys, unflatten, _flatten
        )


class First(Node):
    """A leaf that is at several places, or the first leaf of objects that are."""

    __slots__ = ()
    about: tuple[Alias, ...]


class Again(Node):
    """A place of what has been at another place before."""

    __slots__ = ()
    # What was before; and what begins here and is at several places, too.
    about: tuple[Alias, tuple[Alias, ...]]


class Whole(Node):
    """A place of an object that is at several places and has no leaves."""

    __slots__ = ()
    # Its number, and the object.
    about: tuple[int, Any]
