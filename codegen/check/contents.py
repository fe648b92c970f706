"""The contents of the objects of a program's classes: sizes, constants, and other objects.

contents = ObjectContents(program)
contents.dims(Ref("heat", "Plate"))                  # {"nx", "ny"}: what sizes its arrays have
contents.concrete_classes(Ref("shapes", "Shape"))    # [Ref("shapes", "Disc"), ...]
"""

from __future__ import annotations

from functools import cached_property

from codegen.program import types
from codegen.program.graph import FixedPoint, Lookup, reachable
from codegen.program.nodes import Program
from codegen.program.types import Ref, Type


class ObjectContents:
    """Facts about the classes of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._classes = program.classes

    def has_shapes(self, type: Type) -> bool:
        """Return whether a static value may hold constant arrays, or objects of classes with
        parameters.
        """
        refs = (ref for one in type.class_refs for ref in self.concrete_classes(one))
        return _mentions_shapes(type) or any(ref in self._classes_with_shapes for ref in refs)

    @cached_property
    def _classes_with_shapes(self) -> dict[Ref, None]:
        """Return the non-abstract classes whose objects hold something with a shape."""
        concrete = {ref: node for ref, node in self._classes.items() if not node.abstract}
        holders: dict[Ref, list[Ref]] = {ref: [] for ref in concrete}
        for ref, node in concrete.items():
            held = {inner for field in node.fields for inner in field.type.class_refs}
            for inner in (one for above in held for one in self.concrete_classes(above)):
                holders[inner].append(ref)
        shaped = (r for r, n in concrete.items() if any(_mentions_shapes(f.type) for f in n.fields))
        return reachable(shaped, holders.__getitem__)

    def has_refs(self, type: Type) -> bool:
        """Return whether a traced value may hold Refs."""
        held = self.program.graph.held_classes(type.class_refs, "dynamic", "donated")
        fields = (f.type for ref in held for f in self._classes[ref].traced_fields)
        parts = (part for one in (type, *fields) for part in one.iter_held())
        return any(isinstance(part, types.Array) and part.is_ref for part in parts)

    def concrete_classes(self, ref: Ref) -> list[Ref]:
        """Return the classes whose objects a field of this type may hold."""
        below = self.program.graph.subclasses(ref) if self._classes[ref].abstract else []
        return sorted(r for r in (ref, *below) if not self._classes[r].abstract)

    def dims(self, ref: Ref) -> frozenset[str]:
        """Return the dimensions of a class: its parameters, and those of the arrays in
        its objects.
        """
        return frozenset[str]().union(*map(_dim_names, self._dims.of(ref)))

    @cached_property
    def _dims(self) -> FixedPoint[Ref, frozenset[types.Dim]]:
        """Return every dimension in the arrays of each class, and in those of the objects that it
        holds.
        """
        return FixedPoint(frozenset[types.Dim](), self._dims_of)

    def _dims_of(self, ref: Ref, known: Lookup[Ref, frozenset[types.Dim]]) -> frozenset[types.Dim]:
        node = self._classes[ref]
        # A parameter's size may occur only as a static integer.
        dims: set[types.Dim] = {types.DimName(name) for name in node.dims}
        for below in self.concrete_classes(ref) if node.abstract else []:
            dims |= known(below)
        for field in node.fields:
            for part in field.type.iter_held():
                dims |= {*part.own_dims}
                if isinstance(part, types.ClassType):
                    # The holder does not know the names of a class's own parameters.
                    own = {*self._classes[part.ref].dims}
                    dims |= {d for d in known(part.ref) if not _dim_names(d) & own}
        return frozenset(dims)


def _mentions_shapes(type: Type) -> bool:
    return any(part.own_dims or isinstance(part, types.Array) for part in type.iter_held())


def _dim_names(dim: types.Dim) -> set[str]:
    """Return the names whose sizes a dimension has."""
    return {name for name in dim.names if not name.startswith("*")}
