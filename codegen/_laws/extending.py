"""Recipes for what is below a class with dimensions: each subclass says what they are.

    extended(
        extending(any_Fixed, n="4"),            # class Fixed(Layer[4])
        extending(any_Wide, "a b", n="a+b"),    # class Wide(Layer[a + b], dims=(a, b))
    )

Of which class an object is has to fit the sizes that were drawn before it, and decides
those that were not.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .draw import Draw, Recipe, Refused, Simple, Size

_FREE = 2  # how many sizes are looked for together; all others are drawn
_SPARE = 3  # how much larger one of them may be than what is computed from it


@dataclass(frozen=True, slots=True)
class Extending:
    """A subclass, and what it says of the dimensions of the class above it."""

    recipe: Recipe[Any]
    own: tuple[str, ...]
    said: Mapping[str, str]

    def scope(self, draw: Draw) -> Draw | None:
        """Return how its objects are drawn; None where they do not fit what was drawn.

        Args:
            draw: in the terms of the class above it
        """
        own: dict[str, Size] = {}
        others: list[tuple[Size, str]] = []
        for name, term in self.said.items():
            size = draw.sizes.of(name)
            if term in self.own and term not in own:
                own[term] = size
            else:
                others.append((size, term))
        for name in self.own:
            own.setdefault(name, Size())
        # What the class above calls its dimensions is nothing to this one.
        outside = draw.sizes.around or draw.sizes
        inner = replace(draw, sizes=outside.inside(own))
        before = [size.value for size, _ in others]
        if all(_fits(size, term, inner) for size, term in others):
            return inner
        for (size, _), value in zip(others, before, strict=True):
            size.value = value
        return None


def extending(recipe: Recipe[Any], own: str = "", **said: str) -> Extending:
    """Say of a subclass what it calls its dimensions, and what those above it are."""
    return Extending(recipe, tuple(own.split()), said)


def extended(*options: Extending) -> Recipe[Any]:
    """Draw an object of one of several subclasses; the first ends soonest."""

    def function(draw: Draw) -> Any:
        first = 0 if draw.is_deep else draw.integer(0, len(options) - 1)
        for option in (*options[first:], *options[:first]):
            inner = option.scope(draw)
            if inner is not None:
                return option.recipe.draw(inner)
        raise Refused

    return Simple(function)


def _fits(size: Size, term: str, draw: Draw) -> bool:
    """Let a size be what is said of it, if it can be that."""
    if size.value is None:
        size.value = draw.size(term)
        return True
    names = {
        node.id: draw.sizes.of(node.id)
        for node in ast.walk(ast.parse(term, mode="eval"))
        if isinstance(node, ast.Name)
    }
    free = [name for name, each in names.items() if each.value is None]
    for name in free[_FREE:]:
        draw.sizes.get(name, draw)
    unknown = [names[name] for name in free[:_FREE]]
    found = list(_solutions(unknown, size.value, term, draw))
    if not found:
        return False
    _put(unknown, found[draw.integer(0, len(found) - 1)])
    return True


def _solutions(
    unknown: list[Size], size: int, term: str, draw: Draw
) -> Iterator[tuple[int, ...]]:
    sizes = range(draw.sizes.least, size + _SPARE + 1)
    for values in itertools.product(sizes, repeat=len(unknown)):
        _put(unknown, values)
        try:
            is_right = draw.size(term) == size
        except Refused:
            is_right = False
        if is_right:
            yield values


def _put(unknown: list[Size], values: tuple[int, ...]) -> None:
    for one, value in zip(unknown, values, strict=True):
        one.value = value
