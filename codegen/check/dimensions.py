"""The dimensions of a class: the paths of their sizes, the classes that name them, and their mesh
axes.

class Plate: grid: static[Grid]; u: donated[f32[nx]]    ->    size_paths(Plate) == {"nx": ("grid.nx",)}
class Base(dims=(a, b)): w: dynamic[f32[a, b]]
class Mid(Base[n, m]): v: dynamic[f32[n]]         # `w` uses the names of `Base`, `v` those of `Mid`

A static integer that is a size is reached through static fields, at any depth. An integer in a
container is not a size: each item has its own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from codegen.check.contents import ObjectContents
from codegen.program import types
from codegen.program.graph import FixedPoint, Lookup
from codegen.program.nodes import Class, Field, Program
from codegen.program.substitution import bases_of, dims_of
from codegen.program.types import Dim, Ref

# Only the first is read. A second one shows that there are sizes to compare.
_PATHS_MAX = 2


# The first paths of each size.
_Paths: TypeAlias = dict[str, tuple[str, ...]]


def size_paths(node: Class, contents: ObjectContents) -> _Paths:
    """Return, for each dimension of a class, the first paths of its size, its own fields first."""
    used = contents.dims(node.ref)
    return {
        name: paths
        for name, paths in _all_size_paths(contents).of(node.ref).items()
        if name in used
    }


@functools.lru_cache(maxsize=1)
def _all_size_paths(contents: ObjectContents) -> FixedPoint[Ref, _Paths]:
    program = contents.program
    declared = {dim.name for module in program.modules for dim in module.dims}
    names = declared | {d for node in program.classes.values() for d in node.dims}

    def paths(ref: Ref, known: Lookup[Ref, _Paths]) -> _Paths:
        by_name: _Paths = {}
        for name, path in _iter_static_integers(program, program.classes[ref], known):
            if name in names:
                by_name[name] = (*by_name.get(name, ()), path)[:_PATHS_MAX]
        return by_name

    return FixedPoint({}, paths)


def _iter_static_integers(
    program: Program, node: Class, known: Lookup[Ref, _Paths]
) -> Iterator[tuple[str, str]]:
    """Yield the integers below the static fields of a class: the name of each in its class, and
    its path.
    """
    statics = [f for f in node.fields if f.role == "static"]
    dims = _own_dims(node, program.classes)
    for field in statics:
        dim = dims.get(field.name, types.DimName(field.name))
        if field.type.is_int and isinstance(dim, types.DimName):
            yield dim.name, field.name
    for field in statics:
        if isinstance(field.type, types.ClassType):
            inner = program.classes[field.type.ref]
            arguments = dims_of(field.type, inner)
            for name, paths in known(inner.ref).items():
                plain = types.AnyDim() if name in inner.dims else types.DimName(name)
                dim = arguments.get(name, plain)
                if isinstance(dim, types.DimName):
                    yield from ((dim.name, f"{field.name}.{path}") for path in paths)


def _own_dims(node: Class, classes: dict[Ref, Class]) -> dict[str, Dim]:
    """Return the dimensions of a class's fields, also of those that a base names differently."""
    dims: dict[str, Dim] = {f.name: types.DimName(f.name) for f in node.own_fields}
    for parent, base in bases_of(node, classes):
        arguments = dims_of(base, parent)
        for f in parent.own_fields:
            if f.name in parent.dims:
                dims.setdefault(f.name, arguments.get(f.name, types.DimName(f.name)))
    return dims


def field_has_shapes(field: Field, contents: ObjectContents) -> bool:
    """Return whether a field's values have shapes: arrays, constant ones, or parameters that are
    sizes.
    """
    return field.role != "static" or contents.has_shapes(field.type)


class BaseSubstitution(Struct, frozen=True):
    """A base, its type in the parameters of the deriving class, and the fields that use the base's
    own parameters.
    """

    node: Class
    type: types.ClassType
    fields: tuple[Field, ...]


def base_substitutions(node: Class, contents: ObjectContents) -> list[BaseSubstitution]:
    """Return the bases of a class, nearest first, up to the last one that has parameters."""
    substitutions: list[BaseSubstitution] = []
    fields = {f.name: f for f in node.fields}
    declared = {f.name for f in node.own_fields}
    child = node
    while child.base is not None:
        parent = contents.program.classes[child.base.ref]
        own = [f for f in parent.own_fields if f.name not in declared]
        declared |= {f.name for f in own}
        held = [f for f in own if _keeps_base_parameters(f, fields[f.name], parent, contents)]
        substitutions.append(BaseSubstitution(parent, child.base, tuple(held)))
        child = parent
    while substitutions and not (
        substitutions[-1].node.dims or substitutions[-1].node.type_parameters
    ):
        substitutions.pop()
    return substitutions


def _keeps_base_parameters(field: Field, now: Field, node: Class, contents: ObjectContents) -> bool:
    """Return whether a field uses the parameters of the base that declares it.

    If a class below has given its type parameter an argument, that is more specific.
    """
    if field.role == "static" and field.name in node.dims:
        return True
    if not (node.dims or node.type_parameters) or not field_has_shapes(now, contents):
        return False
    generic, still = (
        any(isinstance(part, types.TypeParameter) for part in one.type.iter_held())
        for one in (field, now)
    )
    return still or not generic


def mesh_axes(node: Class) -> dict[str, tuple[str, ...]]:
    """Return the mesh axes of each dimension that has some and that a field names."""
    axes: dict[str, tuple[str, ...]] = {}
    for field in node.fields:
        for part in field.type.iter_held() if field.role != "static" else ():
            # The length of a tuple is not an axis of an array.
            dims = () if isinstance(part, types.Sequence) else part.own_dims
            for dim in dims:
                if isinstance(dim, types.DimName) and dim.mesh:
                    axes.setdefault(dim.name, dim.mesh)
    return axes
