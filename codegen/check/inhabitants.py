"""Which classes can have an object, and how deep the flattest one is.

class Node: next: dynamic[Node | None]         ->    1: `next` is None
class Chain: link: dynamic[Box[Chain]]         ->    None: every object would need another one

A class with type parameters is looked at with the depths of what it holds for them: `Box[Chain]` has
an object where `Box` needs none of its parameter, or a `Chain` has an end. A type that is not known
here, such as a parameter of the class that holds it, has values without depth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from codegen.check.facts import descendants
from codegen.program import types
from codegen.program.bind import arguments_of, bases_of
from codegen.program.nodes import Class, Program
from codegen.program.types import Ref, Type

# A class, with the depths of what it is given for its type parameters.
_Given: TypeAlias = tuple[Ref, tuple[int | None, ...]]
_Depths: TypeAlias = Mapping[str, int | None]
# Deeper parameters count as this deep: a class may hold itself with ever deeper ones.
_DEPTH_MAX = 50


class Inhabitants:
    """The depths of the flattest objects, found when they are asked for."""

    def __init__(self, program: Program, *, is_open: bool) -> None:
        """Look at a program; if it is open, Python classes may derive from abstract ones."""
        self._program = program
        self._is_open = is_open
        self._depths: dict[_Given, int | None] = {}
        # What is to be looked at again when a depth is found.
        self._asked_by: dict[_Given, set[_Given]] = {}
        self._waiting: deque[_Given] = deque()
        self._is_waiting: set[_Given] = set()

    def has_object(self, ref: Ref) -> bool:
        """Tell whether there is an object of a class, if there are values for its parameters."""
        return self.depth(types.ClassType(ref)) is not None

    def depth(self, type: Type) -> int | None:
        """Return how deep the flattest value of a type is; None if there is none."""
        while True:
            found = self._depth(type, {}, None)
            if not self._waiting:
                return found
            self._look()

    def _look(self) -> None:
        """Find the depths that are waited for: each only gets less, until none changes."""
        while self._waiting:
            given = self._waiting.popleft()
            self._is_waiting.discard(given)
            depth, known = self._class_depth(given), self._depths[given]
            if depth is not None and (known is None or depth < known):
                self._depths[given] = depth
                asking = self._asked_by.pop(given, set()) - self._is_waiting
                self._waiting += asking
                self._is_waiting |= asking

    def _class_depth(self, given: _Given) -> int | None:
        ref, arguments = given
        node = self._program.classes[ref]
        known = dict(zip(node.type_parameters, arguments, strict=True))
        found: list[int | None] = []
        if node.abstract:
            below = (self._below(below, node, known) for below in descendants(self._program, ref))
            found = [self._known(one, given) for one in below]
        if self._is_open or not node.abstract:
            fields = [self._depth(field.type, known, given) for field in node.fields]
            found.append(_deepest(fields, 1))
        return _flattest(found)

    def _below(self, ref: Ref, abstract: Class, known: _Depths) -> _Given:
        """Give a class below an abstract one the depths that the abstract one is given."""
        classes = self._program.classes
        bases = bases_of(classes[ref], classes)
        base = next(base for parent, base in bases if parent is abstract)
        own = {type: known[name] for name, type in arguments_of(base, abstract).items()}
        names = classes[ref].type_parameters
        return ref, tuple(own.get(types.TypeParameter(name), 0) for name in names)

    def _depth(self, type: Type, known: _Depths, asker: _Given | None) -> int | None:
        match type:
            case types.TypeParameter():
                return known.get(type.name, 0)
            case types.ClassType():
                node = self._program.classes[type.ref]
                given = arguments_of(type, node).values()
                depths = (self._depth(argument, known, asker) for argument in given)
                arguments = tuple(None if one is None else min(one, _DEPTH_MAX) for one in depths)
                return self._known((type.ref, arguments), asker)
            case types.Union():
                return _flattest(self._depth(member, known, asker) for member in type.members)
            case types.Sequence() if type.size is not None:
                return self._depth(type.element, known, asker)
            case types.FixedTuple():
                return _deepest(self._depth(element, known, asker) for element in type.elements)
            case _:
                return 0

    def _known(self, given: _Given, asker: _Given | None) -> int | None:
        if given not in self._depths:
            self._depths[given] = None
            self._waiting.append(given)
            self._is_waiting.add(given)
        if asker is not None:
            self._asked_by.setdefault(given, set()).add(asker)
        return self._depths[given]


def _flattest(depths: Iterable[int | None]) -> int | None:
    return min((depth for depth in depths if depth is not None), default=None)


def _deepest(depths: Iterable[int | None], more: int = 0) -> int | None:
    found = list(depths)
    known = [depth for depth in found if depth is not None]
    return more + max(known, default=0) if len(known) == len(found) else None
