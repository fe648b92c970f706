"""Which static integers are the sizes of a class's dimensions.

class Plate: grid: static[Grid]; u: donated[f32[nx]]    ->    size_paths(Plate) == {"nx": ("grid.nx",)}

They are reached through static fields, at any depth. What lies in a container, where each item has a size
of its own, is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.program import types
from codegen.program.bind import bases_of, dims_of
from codegen.program.nodes import Class, Field
from codegen.program.types import Dim, Ref, Type
from codegen.view.drawing import Drawing

# One is read; a second says that there is something to compare.
_PATHS_MAX = 2


def size_paths(node: Class, drawing: Drawing) -> dict[str, tuple[str, ...]]:
    """Return, for each dimension of a class, the first paths of its size, its own fields first."""
    used = drawing.dims(node.ref)
    found = _Walk(drawing).paths(node, frozenset())
    return {name: paths for name, paths in found.items() if name in used}


def may_say_more(node: Class, drawing: Drawing) -> bool:
    """Say whether an object may hold a size where not every object of the class does."""
    dims = own_dims(node, drawing.program.classes).values()
    is_given = any(not isinstance(dim, types.DimName) for dim in dims)
    return is_given or bool(_Walk(drawing).loose(node, frozenset()) & drawing.dims(node.ref))


class _Walk:
    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._classes = drawing.program.classes
        self._paths: dict[Ref, dict[str, tuple[str, ...]]] = {}
        self._loose: dict[Ref, frozenset[str]] = {}

    def paths(self, node: Class, around: frozenset[Ref]) -> dict[str, tuple[str, ...]]:
        """Return the paths that every object of a class has, by names in its terms."""
        if node.ref not in self._paths:
            found: dict[str, tuple[str, ...]] = {}
            for name, path in self._reached(node, around | {node.ref}):
                found[name] = (*found.get(name, ()), path)[:_PATHS_MAX]
            self._paths[node.ref] = found
        return self._paths[node.ref]

    def _reached(self, node: Class, around: frozenset[Ref]) -> Iterator[tuple[str, str]]:
        statics = [f for f in node.fields if f.role == "static"]
        dims = own_dims(node, self._classes)
        for f in statics:
            dim = dims.get(f.name, types.DimName(f.name))
            if types.is_int(f.type) and isinstance(dim, types.DimName):
                yield dim.name, f.name
        for f in statics:
            if isinstance(f.type, types.ClassType) and f.type.ref not in around:
                inner = self._classes[f.type.ref]
                given = dims_of(f.type, inner)
                for name, paths in self.paths(inner, around).items():
                    dim = (
                        given.get(name, types.AnyDim())
                        if name in inner.dims
                        else types.DimName(name)
                    )
                    if isinstance(dim, types.DimName):
                        yield from ((dim.name, f"{f.name}.{path}") for path in paths)

    def loose(self, node: Class, around: frozenset[Ref]) -> frozenset[str]:
        """Return the names of integers that only some objects of a class reach."""
        if node.ref not in self._loose:
            inside = around | {node.ref}
            parts = [self._of(f, inside) for f in node.fields if f.role == "static"]
            self._loose[node.ref] = frozenset[str]().union(*parts)
        return self._loose[node.ref]

    def _of(self, f: Field, around: frozenset[Ref]) -> frozenset[str]:
        is_certain = isinstance(f.type, types.ClassType) and not self._classes[f.type.ref].abstract
        found: set[str] = set()
        for ref in _held(f.type, self._drawing):
            if ref in around:
                continue
            found |= self.loose(self._classes[ref], around)
            found |= {*(() if is_certain else self.paths(self._classes[ref], around))}
        return frozenset(found)


def _held(type: Type, drawing: Drawing) -> Iterator[Ref]:
    """Yield the classes of which a value may be, without those in containers."""
    members = type.members if isinstance(type, types.Union) else (type,)
    for member in members:
        if isinstance(member, types.ClassType):
            yield from drawing.concrete(member.ref)


def own_dims(node: Class, classes: dict[Ref, Class]) -> dict[str, Dim]:
    """Return what the fields of a class are as dimensions that are called otherwise in a base of it."""
    found: dict[str, Dim] = {f.name: types.DimName(f.name) for f in node.own_fields}
    for parent, base in bases_of(node, classes):
        given = dims_of(base, parent)
        for f in parent.own_fields:
            if f.name in parent.dims:
                found.setdefault(f.name, given.get(f.name, types.DimName(f.name)))
    return found
