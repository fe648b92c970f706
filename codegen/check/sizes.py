"""Which static integers are the sizes of a class's dimensions.

class Plate: grid: static[Grid]; u: donated[f32[nx]]    ->    size_paths(Plate) == {"nx": ("grid.nx",)}

They are reached through static fields, at any depth. What lies in a container, where each item has a size
of its own, is none of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TypeAlias

from codegen.check.drawing import Drawing
from codegen.program import types
from codegen.program.bind import bases_of, dims_of
from codegen.program.graph import Ask, FixedPoint
from codegen.program.nodes import Class, Program
from codegen.program.types import Dim, Ref

# One is read; a second says that there is something to compare.
_PATHS_MAX = 2


# The first paths of each size.
_Paths: TypeAlias = dict[str, tuple[str, ...]]


def size_paths(node: Class, drawing: Drawing) -> _Paths:
    """Return, for each dimension of a class, the first paths of its size, its own fields first."""
    used = drawing.dims(node.ref)
    return {name: paths for name, paths in _paths(drawing).of(node.ref).items() if name in used}


@functools.lru_cache(maxsize=1)
def _paths(drawing: Drawing) -> FixedPoint[Ref, _Paths]:
    program = drawing.program
    declared = {dim.name for module in program.modules for dim in module.dims}
    names = declared | {d for node in program.classes.values() for d in node.dims}

    def paths(ref: Ref, known: Ask[Ref, _Paths]) -> _Paths:
        found: _Paths = {}
        for name, path in _reached(program, program.classes[ref], known):
            if name in names:
                found[name] = (*found.get(name, ()), path)[:_PATHS_MAX]
        return found

    return FixedPoint({}, paths)


def _reached(program: Program, node: Class, known: Ask[Ref, _Paths]) -> Iterator[tuple[str, str]]:
    """Yield the integers below the static fields of a class: the name of each in its terms, and its path."""
    statics = [f for f in node.fields if f.role == "static"]
    dims = own_dims(node, program.classes)
    for f in statics:
        dim = dims.get(f.name, types.DimName(f.name))
        if types.is_int(f.type) and isinstance(dim, types.DimName):
            yield dim.name, f.name
    for f in statics:
        if isinstance(f.type, types.ClassType):
            inner = program.classes[f.type.ref]
            given = dims_of(f.type, inner)
            for name, paths in known(inner.ref).items():
                plain = types.AnyDim() if name in inner.dims else types.DimName(name)
                dim = given.get(name, plain)
                if isinstance(dim, types.DimName):
                    yield from ((dim.name, f"{f.name}.{path}") for path in paths)


def own_dims(node: Class, classes: dict[Ref, Class]) -> dict[str, Dim]:
    """Return what the fields of a class are as dimensions that are called otherwise in a base of it."""
    found: dict[str, Dim] = {f.name: types.DimName(f.name) for f in node.own_fields}
    for parent, base in bases_of(node, classes):
        given = dims_of(base, parent)
        for f in parent.own_fields:
            if f.name in parent.dims:
                found.setdefault(f.name, given.get(f.name, types.DimName(f.name)))
    return found
