"""Recipes of values: Hypothesis draws a recipe, and `build` follows it as often as needed.

    recipe = Node(tuple_of, {0: Leaf("x"), 1: Leaf(1.5)})
    build(recipe), build(recipe)        # two equal tuples that have no part in common

So an equal copy is created through the same constructors, from copies of the same values. A
neighbour is built from the same recipe with another value for one leaf.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis.strategies import SearchStrategy


@dataclass(eq=False, slots=True)
class Leaf:
    """A value. `others` draws other values for its place, if they change the trace key."""

    value: Any
    others: SearchStrategy[Any] | None = None


@dataclass(eq=False, slots=True)
class Node:
    """A container or an object, made of its parts. A node at two paths is one object there."""

    make: Callable[[dict[Any, Any]], Any]
    parts: dict[Any, Recipe]


Recipe: TypeAlias = Leaf | Node


def build(recipe: Recipe, known: dict[Recipe, Any] | None = None) -> Any:
    """Create the value of a recipe; `known` has the values of some of its parts."""
    done = {} if known is None else known
    if recipe not in done:
        if isinstance(recipe, Leaf):
            done[recipe] = copied(recipe.value)
        else:
            done[recipe] = recipe.make({k: build(one, done) for k, one in recipe.parts.items()})
    return done[recipe]


def copied(value: Any) -> Any:
    """Return an equal value, as a different object wherever there can be two."""
    kind = type(value)
    if kind is float or kind is int:
        return kind(repr(value))
    if kind is complex:
        return complex(copied(value.real), copied(value.imag))
    if kind is str:
        return "".join(list(value))
    if kind is bytes:
        return bytes(bytearray(value))
    try:
        return copy.deepcopy(value)
    except TypeError:  # such a value is its own copy
        return value


def iter_leaves(recipe: Recipe) -> Iterator[Leaf]:
    """Yield the leaves of a recipe."""
    if isinstance(recipe, Leaf):
        yield recipe
    else:
        for part in recipe.parts.values():
            yield from iter_leaves(part)


def share(root: Node, owner: tuple[str, ...], borrower: tuple[str, ...]) -> None:
    """Put the part of the owner's path at another path too."""
    _merge(root, _at(root, borrower), _at(root, owner))


def _at(node: Node, path: tuple[str, ...]) -> Recipe:
    part: Recipe = node
    for name in path:
        assert isinstance(part, Node), path
        part = part.parts[name]
    return part


def _merge(root: Node, old: Recipe, new: Recipe) -> None:
    """Replace a recipe wherever it is; its parts too, which may be at further paths."""
    if old is new:
        return
    _replace(root, old, new)
    if isinstance(old, Node) and isinstance(new, Node):
        for name in old.parts.keys() & new.parts.keys():
            _merge(root, old.parts[name], new.parts[name])


def _replace(node: Node, old: Recipe, new: Recipe) -> None:
    for name, part in node.parts.items():
        if part is old:
            node.parts[name] = new
        elif isinstance(part, Node):
            _replace(part, old, new)
