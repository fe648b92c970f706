"""Find which classes can have an object, and the depth of the flattest one.

class Node: next: dynamic[Node | None]         ->    1: `next` is None
class Chain: link: dynamic[Box[Chain]]         ->    None: every object would need another one

A class with type parameters is checked with the depths of its type arguments: `Box[Chain]` has an
object if `Box` needs no value of its parameter, or if a `Chain` has an end. A type that is unknown
here, such as a parameter of the holder, has values of depth zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from codegen.program import types
from codegen.program.graph import FixedPoint, Lookup
from codegen.program.nodes import Class, Program
from codegen.program.substitution import arguments_of, bases_of
from codegen.program.types import Ref, Type

# A class, with the depths of its type arguments.
_ClassWithDepths: TypeAlias = tuple[Ref, tuple[int | None, ...]]
_Depths: TypeAlias = Mapping[str, int | None]
_AskDepth: TypeAlias = Lookup[_ClassWithDepths, int | None]
# Deeper parameters count as this deep: a class may hold itself with ever deeper ones.
_DEPTH_MAX = 50


class Inhabitants:
    """The depths of the flattest objects, computed on request."""

    def __init__(self, program: Program, *, is_open: bool) -> None:
        """Prepare a program. If it is open, Python classes may derive from abstract ones."""
        self._program = program
        self._is_open = is_open
        # Each depth can only decrease.
        self._depths = FixedPoint[_ClassWithDepths, int | None](None, self._class_depth)

    def has_object(self, ref: Ref) -> bool:
        """Return whether a class has an object, if there are values for its parameters."""
        return self.depth(types.ClassType(ref)) is not None

    def depth(self, type: Type) -> int | None:
        """Return how deep the flattest value of a type is; None if there is none."""
        return self._depth(type, {}, self._depths.of)

    def _class_depth(self, applied: _ClassWithDepths, depth: _AskDepth) -> int | None:
        ref, arguments = applied
        node = self._program.classes[ref]
        known = dict(zip(node.type_parameters, arguments, strict=True))
        # A shallower argument asks for a depth that is not known yet. Earlier results stay true.
        depths = [depth(applied)]
        if node.abstract:
            below = self._program.graph.subclasses(ref)
            depths += [depth(self._subclass_depths(one, node, known)) for one in below]
        if self._is_open or not node.abstract:
            fields = [self._depth(field.type, known, depth) for field in node.fields]
            depths.append(_max_depth(fields, 1))
        return _min_depth(depths)

    def _subclass_depths(self, ref: Ref, abstract: Class, known: _Depths) -> _ClassWithDepths:
        """Assign to a class below an abstract one the depths of the abstract one's arguments."""
        classes = self._program.classes
        bases = bases_of(classes[ref], classes)
        base = next(base for parent, base in bases if parent is abstract)
        own = {type: known[name] for name, type in arguments_of(base, abstract).items()}
        names = classes[ref].type_parameters
        return ref, tuple(own.get(types.TypeParameter(name), 0) for name in names)

    def _depth(self, type: Type, known: _Depths, depth: _AskDepth) -> int | None:
        match type:
            case types.TypeParameter():
                return known.get(type.name, 0)
            case types.ClassType():
                node = self._program.classes[type.ref]
                type_arguments = arguments_of(type, node).values()
                depths = (self._depth(argument, known, depth) for argument in type_arguments)
                arguments = tuple(None if one is None else min(one, _DEPTH_MAX) for one in depths)
                return depth((type.ref, arguments))
            case types.Union():
                return _min_depth(self._depth(member, known, depth) for member in type.members)
            case types.Sequence() if type.size is not None:
                return self._depth(type.element, known, depth)
            case types.FixedTuple():
                return _max_depth(self._depth(element, known, depth) for element in type.elements)
            case _:
                return 0


def _min_depth(depths: Iterable[int | None]) -> int | None:
    return min((depth for depth in depths if depth is not None), default=None)


def _max_depth(depths: Iterable[int | None], more: int = 0) -> int | None:
    found = list(depths)
    known = [depth for depth in found if depth is not None]
    return more + max(known, default=0) if len(known) == len(found) else None
