"""Which static integers are the sizes of a class's dimensions.

class Plate: grid: static[Grid]; u: donated[f32[nx]]    ->    size_paths(Plate) == {"nx": ("grid.nx",)}

They are reached through static fields, at any depth. What lies in a container, where each item has a size
of its own, is none of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from msgspec import Struct

from codegen.check.drawing import Drawing
from codegen.program import types
from codegen.program.bind import bases_of, dims_of
from codegen.program.nodes import Class, Field
from codegen.program.types import Dim, Ref, Type

# One is read; a second says that there is something to compare.
_PATHS_MAX = 2


def size_paths(node: Class, drawing: Drawing) -> dict[str, tuple[str, ...]]:
    """Return, for each dimension of a class, the first paths of its size, its own fields first."""
    used = drawing.dims(node.ref)
    found = _reach(drawing).of(node).paths
    return {name: paths for name, paths in found.items() if name in used}


class _Reached(Struct, frozen=True):
    """The integers that are reached from a class's objects, by names in its terms."""

    paths: dict[str, tuple[str, ...]]  # those of every object
    loose: frozenset[str]  # those of some


_NOTHING = _Reached({}, frozenset())


@functools.lru_cache(maxsize=1)
def _reach(drawing: Drawing) -> _Reach:
    return _Reach(drawing)


class _Reach:
    """What each class of a program reaches, found innermost first: a chain may be longer than Python's stack."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._classes = drawing.program.classes
        self._found: dict[Ref, _Reached] = {}
        declared = {dim.name for module in drawing.program.modules for dim in module.dims}
        self._names = declared | {d for node in self._classes.values() for d in node.dims}

    def of(self, node: Class) -> _Reached:
        """Return what a class reaches."""
        waiting = [(node.ref, False)]
        seen: set[Ref] = set()
        while waiting:
            ref, is_left = waiting.pop()
            if is_left:
                self._found[ref] = self._reached(self._classes[ref])
            elif ref not in seen and ref not in self._found:
                seen.add(ref)
                waiting.append((ref, True))
                waiting += [(inner, False) for inner in self._inside(self._classes[ref])]
        return self._found[node.ref]

    def _inside(self, node: Class) -> list[Ref]:
        statics = [f.type for f in node.fields if f.role == "static"]
        declared = [type.ref for type in statics if isinstance(type, types.ClassType)]
        return [*declared, *(ref for type in statics for ref in _held(type, self._drawing))]

    def _reached(self, node: Class) -> _Reached:
        paths: dict[str, tuple[str, ...]] = {}
        for name, path in self._paths(node):
            paths[name] = (*paths.get(name, ()), path)[:_PATHS_MAX]
        loose = (self._loose(f) for f in node.fields if f.role == "static")
        return _Reached(paths, frozenset[str]().union(*loose))

    def _paths(self, node: Class) -> Iterator[tuple[str, str]]:
        statics = [f for f in node.fields if f.role == "static"]
        dims = own_dims(node, self._classes)
        for f in statics:
            dim = dims.get(f.name, types.DimName(f.name))
            if types.is_int(f.type) and isinstance(dim, types.DimName) and dim.name in self._names:
                yield dim.name, f.name
        for f in statics:
            if isinstance(f.type, types.ClassType):
                inner = self._classes[f.type.ref]
                given = dims_of(f.type, inner)
                for name, paths in self._found.get(inner.ref, _NOTHING).paths.items():
                    plain = types.AnyDim() if name in inner.dims else types.DimName(name)
                    dim = given.get(name, plain)
                    if isinstance(dim, types.DimName):
                        yield from ((dim.name, f"{f.name}.{path}") for path in paths)

    def _loose(self, f: Field) -> frozenset[str]:
        is_certain = isinstance(f.type, types.ClassType) and not self._classes[f.type.ref].abstract
        found: set[str] = set()
        for ref in _held(f.type, self._drawing):
            inner = self._found.get(ref, _NOTHING)
            found |= inner.loose if is_certain else inner.loose | inner.paths.keys()
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
