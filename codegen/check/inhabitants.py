"""Find which classes can have an object.

class Node: next: dynamic[Node | None]         ->    True: `next` is None
class Chain: link: dynamic[Box[Chain]]         ->    False: every object would need another one

A class with type parameters is checked once for each combination of arguments that have values or
not: `Box[Chain]` has an object if `Box` needs no value of its parameter, or if a `Chain` has an end.
A type that is unknown here, such as a parameter of the holder, has values.

An abstract class needs no check of its subclasses. If one of them has an object, the fields of the
abstract class have values too. A Python class below it may have only these fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from codegen.program import types
from codegen.program.graph import FixedPoint, Lookup
from codegen.program.nodes import Program
from codegen.program.substitution import arguments_of
from codegen.program.types import Ref, Type

# A class, and whether each of its type arguments has values.
_Applied: TypeAlias = tuple[Ref, tuple[bool, ...]]


class Inhabitants:
    """The classes of a program that have objects, found on request."""

    def __init__(self, program: Program) -> None:
        self._classes = program.classes
        self._found = FixedPoint[_Applied, bool](False, self._has_fields)

    def has_object(self, ref: Ref) -> bool:
        """Return whether a class has an object, if there are values for its parameters."""
        return self.has_value(types.ClassType(ref))

    def has_value(self, type: Type) -> bool:
        """Return whether a type has a value."""
        return self._has_value(type, {}, self._found.of)

    def _has_fields(self, applied: _Applied, known: Lookup[_Applied, bool]) -> bool:
        ref, arguments = applied
        node = self._classes[ref]
        parameters = dict(zip(node.type_parameters, arguments, strict=True))
        # An argument that has a value now asks about another combination, which is not known yet.
        # Earlier results stay true.
        fields = (self._has_value(field.type, parameters, known) for field in node.fields)
        return known(applied) or all(fields)

    def _has_value(
        self, type: Type, parameters: Mapping[str, bool], known: Lookup[_Applied, bool]
    ) -> bool:
        def inner(part: Type) -> bool:
            return self._has_value(part, parameters, known)

        match type:
            case types.TypeParameter():
                return parameters.get(type.name, True)
            case types.ClassType():
                arguments = arguments_of(type, self._classes[type.ref]).values()
                return known((type.ref, tuple(map(inner, arguments))))
            case types.Union():
                return any(map(inner, type.members))
            case types.Sequence() if type.size is not None:
                return inner(type.element)
            case types.FixedTuple():
                return all(map(inner, type.elements))
            case _:
                return True
