"""Which classes lie in which: whose plan is made first, and which have what something in them says.

class Tree: kids: donated[tuple[Tree, ...]]    ->    holding.recurs(Tree, tuple[Tree, ...])
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from codegen.program import types
from codegen.program.graph import components
from codegen.program.nodes import Class, Field, Program, is_none
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
        if isinstance(type, types.ClassType):
            return [type.ref]  # What it is given for its parameters is no part of its plan.
        if not isinstance(type, types.FixedTuple) and self.recurs(ref, type):
            return []  # It is made with nothing in it.
        return [inner for part in types.parts(type) for inner in self._needed_by(ref, part)]

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


def spread(program: Program, is_own: Callable[[Class], bool]) -> set[Ref]:
    """Return the classes of which something holds, and those that hold one, at any depth.

    An abstract class stands for its subclasses.
    """
    holders: dict[Ref, list[Ref]] = {}
    for ref, node in program.classes.items():
        for inner in (r for f in traced(node) for r in types.class_refs(f.type)):
            holders.setdefault(inner, []).append(ref)
        if node.base is not None and program.classes[node.base.ref].abstract:
            holders.setdefault(ref, []).append(node.base.ref)
    found: set[Ref] = set()
    waiting = [ref for ref, node in program.classes.items() if is_own(node)]
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found.add(ref)
            waiting += holders.get(ref, ())
    return found


def traced(node: Class) -> list[Field]:
    """Return the fields of a class that are no part of its key."""
    return [f for f in node.fields if f.role != "static"]


def tags_of(program: Program) -> dict[Ref, tuple[str, ...]]:
    """Return the tags of every class that tags a field, its own or one of what it holds."""
    fields = (f for node in program.classes.values() for f in node.fields)
    found: dict[Ref, tuple[str, ...]] = {}
    for tag in sorted({tag for f in fields for tag in f.tags}):
        for ref in spread(program, partial(_has_tag, tag)):
            found[ref] = (*found.get(ref, ()), tag)
    return found


def _has_tag(tag: str, node: Class) -> bool:
    return any(tag in f.tags for f in node.fields)
