"""The contents of the objects of a program's classes: dimensions and constant arrays, at any depth.

contents = ObjectContents(program)
contents.dims(Ref("heat", "Plate"))          # {"nx", "ny"}: what sizes its arrays have
contents.size_paths(Ref("heat", "Plate"))    # {"nx": ("grid.nx",)}: where these sizes are
contents.has_shapes(<Grid>)                  # False: it holds no constant array

A static integer that is a size is reached through static fields, at any depth. An integer in a
container is not a size: each item has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from codegen.program import types
from codegen.program.graph import FixedPoint, Lookup
from codegen.program.nodes import Class, Program
from codegen.program.substitution import bases_of, dims_of
from codegen.program.types import Dim, Ref, Type
from codegen.schema.vocabulary import ROLES

# The first paths of each size.
SizePaths: TypeAlias = dict[str, tuple[str, ...]]
# Only the first is read. A second one shows that there are sizes to compare.
_PATHS_MAX = 2


class ObjectContents:
    """Facts about the classes of one program, found on request."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # Every dimension in the arrays of a class, and in those of the objects that it holds.
        self._dims = FixedPoint(frozenset[Dim](), self._find_dims)
        self._sizes = FixedPoint[Ref, SizePaths]({}, self._find_size_paths)

    def has_shapes(self, type: Type) -> bool:
        """Return whether a static value may hold constant arrays, or objects of classes with
        parameters.
        """
        held = type.class_refs
        return _mentions_shapes(type) or any(ref in self._classes_with_shapes for ref in held)

    @cached_property
    def _classes_with_shapes(self) -> dict[Ref, None]:
        own = (
            ref
            for ref, node in self.program.classes.items()
            if any(_mentions_shapes(field.type) for field in node.fields)
        )
        return self.program.graph.propagate(own, *ROLES)

    # --- dimensions

    def dims(self, ref: Ref) -> frozenset[str]:
        """Return the dimensions of a class: its parameters, and those of the arrays in
        its objects.
        """
        return frozenset[str]().union(*map(_dim_names, self._dims.of(ref)))

    def _find_dims(self, ref: Ref, known: Lookup[Ref, frozenset[Dim]]) -> frozenset[Dim]:
        node = self.program.classes[ref]
        # A parameter's size may occur only as a static integer.
        dims: set[Dim] = {types.DimName(name) for name in node.dims}
        for below in self.program.graph.subclasses(ref) if node.abstract else []:
            if not self.program.classes[below].abstract:
                dims |= known(below)
        for field in node.fields:
            for part in field.type.iter_held():
                dims |= {*part.own_dims}
                if isinstance(part, types.ClassType):
                    # The holder does not know the names of a class's own parameters.
                    own = {*self.program.classes[part.ref].dims}
                    dims |= {d for d in known(part.ref) if not _dim_names(d) & own}
        return frozenset(dims)

    # --- sizes

    def size_paths(self, ref: Ref) -> SizePaths:
        """Return, for each dimension of a class, the first paths of its size, its own fields
        first.
        """
        used = self.dims(ref)
        return {name: paths for name, paths in self._sizes.of(ref).items() if name in used}

    @cached_property
    def _dimension_names(self) -> set[str]:
        declared = {dim.name for module in self.program.modules for dim in module.dims}
        return declared.union(*(node.dims for node in self.program.classes.values()))

    def _find_size_paths(self, ref: Ref, known: Lookup[Ref, SizePaths]) -> SizePaths:
        by_name: SizePaths = {}
        for name, path in self._iter_static_integers(self.program.classes[ref], known):
            if name in self._dimension_names:
                by_name[name] = (*by_name.get(name, ()), path)[:_PATHS_MAX]
        return by_name

    def _iter_static_integers(
        self, node: Class, known: Lookup[Ref, SizePaths]
    ) -> Iterator[tuple[str, str]]:
        """Yield the integers below the static fields of a class: the name of each in its class, and
        its path.
        """
        statics = [f for f in node.fields if f.role == "static"]
        dims = self._own_dims(node)
        for field in statics:
            dim = dims.get(field.name, types.DimName(field.name))
            if field.type.is_int and isinstance(dim, types.DimName):
                yield dim.name, field.name
        for field in statics:
            if isinstance(field.type, types.ClassType):
                inner = self.program.classes[field.type.ref]
                arguments = dims_of(field.type, inner)
                for name, paths in known(inner.ref).items():
                    plain = types.AnyDim() if name in inner.dims else types.DimName(name)
                    dim = arguments.get(name, plain)
                    if isinstance(dim, types.DimName):
                        yield from ((dim.name, f"{field.name}.{path}") for path in paths)

    def _own_dims(self, node: Class) -> dict[str, Dim]:
        """Return the dimensions of a class's fields, also of those that a base names
        differently.
        """
        dims: dict[str, Dim] = {f.name: types.DimName(f.name) for f in node.own_fields}
        for parent, base in bases_of(node, self.program.classes):
            arguments = dims_of(base, parent)
            for f in parent.own_fields:
                if f.name in parent.dims:
                    dims.setdefault(f.name, arguments.get(f.name, types.DimName(f.name)))
        return dims


def _mentions_shapes(type: Type) -> bool:
    return any(part.own_dims or isinstance(part, types.Array) for part in type.iter_held())


def _dim_names(dim: Dim) -> set[str]:
    """Return the names whose sizes a dimension has."""
    return {name for name in dim.names if not name.startswith("*")}
