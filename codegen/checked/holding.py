"""Which classes lie in which, so that the plan of one is made before those that are made of it.

class Tree: kids: donated[tuple[Tree, ...]]    ->    holding.recurs(Tree, tuple[Tree, ...])
"""

from __future__ import annotations

from functools import cached_property

from codegen.program import types
from codegen.program.graph import components
from codegen.program.nodes import Field, Program, is_none
from codegen.program.types import Ref, Type


class Holding:
    """The classes of a program, and what their objects hold."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def recurs(self, ref: Ref, type: Type) -> bool:
        """Say whether objects of a class lie, at some depth, in a value that it holds of a type."""
        groups = self._groups
        return any(one == ref or groups[one] == groups[ref] for one in types.class_refs(type))

    def needed(self, ref: Ref) -> list[Ref]:
        """Return the classes whose plans the plan of a class is made of: none that holds it in turn."""
        return [inner for f in self._fields(ref) for inner in self._needed_by(ref, f.type)]

    def _needed_by(self, ref: Ref, type: Type) -> list[Ref]:
        if isinstance(type, types.FixedTuple):
            return [inner for part in type.elements for inner in self._needed_by(ref, part)]
        if not isinstance(type, types.ClassType) and self.recurs(ref, type):
            return []  # It is made with nothing in it.
        return types.class_refs(type)

    @cached_property
    def _groups(self) -> dict[Ref, int]:
        """A number for each class, the same for those that hold each other in a circle."""
        held = {
            ref: [inner for f in self._fields(ref) for inner in types.class_refs(f.type)]
            for ref in self._program.classes
        }
        return {ref: i for i, group in enumerate(components(held)) for ref in group}

    def _fields(self, ref: Ref) -> list[Field]:
        fields = self._program.classes[ref].fields
        return [f for f in fields if f.role != "static" and not is_none(f.default)]
