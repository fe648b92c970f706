"""A dimension, the sizes that have its name, and what must be renamed together.

    nx = Dim()
    class Grid: nx: static[int]
    class Plate: grid: static[Grid]; u: donated[f32[nx]]

    together(names, Named("heat", "nx"))    ->    {Named("heat", "nx"), Named("heat", "nx", "Grid")}

The language identifies a dimension in an object by its name. So two modules that each declare `nx`
are renamed together if a class contains arrays of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from codegen.program.graph import reachable
from codegen.program.types import Ref, is_int
from codegen.rename.names import Named, SchemaNames


def together(names: SchemaNames, named: Named) -> frozenset[Named]:
    """Return the declarations that must have the same name: only itself, except for sizes."""
    found = {named}
    groups = [
        one
        for _, one in (*_dimension_groups(names, named.name), *_parameter_groups(names, named.name))
    ]
    while joined := [one for one in groups if found & one and not one <= found]:
        found.update(*joined)
    return frozenset(found)


def carriers(names: SchemaNames, named: AbstractSet[Named]) -> set[Ref]:
    """Return the classes with one of these dimensions, whose `abstract` takes it as a keyword."""
    return {
        ref
        for name in {one.name for one in named}
        for find in (_dimension_groups, _parameter_groups)
        for ref, group in find(names, name)
        if group & named
    }


def _parameter_groups(names: SchemaNames, name: str) -> Iterator[tuple[Ref, set[Named]]]:
    """Yield each class with this dimension in `dims=`, with its `static[int]` field if it has one."""
    for ref, node in names.program.classes.items():
        if name in node.dims:
            group = {names.parameter(ref, name)}
            yield ref, group | ({names.member(ref, name)} if _has_size(names, ref, name) else set())


def _has_size(names: SchemaNames, ref: Ref, name: str) -> bool:
    """Return whether a class has a `static[int]` field with this name."""
    field = names.program.fields.get(ref, {}).get(name)
    return field is not None and field.role == "static" and is_int(field.type)


def _dimension_groups(names: SchemaNames, name: str) -> Iterator[tuple[Ref, set[Named]]]:
    """Yield each declaration with arrays of such a dimension, and what it ties together."""
    uses: dict[Ref, set[Ref]] = {}
    static_uses: dict[Ref, set[Ref]] = {}
    dims: dict[Ref, set[Named]] = {}
    for one in names.occurrences:
        if not one.inside.name:
            continue  # an import
        if names.is_dimension(one.named):
            if one.named.name == name:
                dims.setdefault(one.inside, set()).add(one.named)
        elif not one.named.owner:
            used = Ref(one.named.module, one.named.name)
            uses.setdefault(one.inside, set()).add(used)
            if one.is_static:
                static_uses.setdefault(one.inside, set()).add(used)
    for ref in {*uses, *dims}:
        group = _found_below(dims, uses, ref)
        if group:
            below = reachable([ref], lambda one: static_uses.get(one, set()))
            yield ref, group | _sizes(names, below.keys(), name)


def _found_below(dims: dict[Ref, set[Named]], uses: dict[Ref, set[Ref]], ref: Ref) -> set[Named]:
    below = reachable([ref], lambda one: uses.get(one, set()))
    return {named for one in below for named in dims.get(one, ())}


def _sizes(names: SchemaNames, refs: AbstractSet[Ref], name: str) -> set[Named]:
    """Return the `static[int]` fields with this name that are not sizes of the class's own `dims=`."""
    return {
        names.member(ref, name)
        for ref in refs
        if ref in names.program.classes
        and name not in names.program.classes[ref].dims
        and _has_size(names, ref, name)
    }
