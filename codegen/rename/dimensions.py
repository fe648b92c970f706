"""A dimension, the sizes that have its name, and what must be renamed together.

    nx = Dim()
    class Grid: nx: static[int]
    class Plate: grid: static[Grid]; u: donated[f32[nx]]

    together(names, Named("heat", "nx"))    ->    {Named("heat", "nx"), Named("heat", "nx", "Grid")}

The language identifies a dimension in an object by its name. So two modules that each declare `nx`
are renamed together if a class contains arrays of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from codegen.program.graph import reachable
from codegen.program.types import Ref, is_int
from codegen.rename.names import Named, SchemaNames

_Uses: TypeAlias = dict[Ref, set[Ref]]
_Ties: TypeAlias = "dict[Named | Ref, set[Named | Ref]]"


def together(names: SchemaNames, named: Named) -> frozenset[Named]:
    """Return the declarations that must have the same name: only itself, except for sizes."""
    tied = _component({named}, _ties(names, named.name))
    return frozenset(one for one in tied if isinstance(one, Named))


def sized_classes(names: SchemaNames, named: AbstractSet[Named]) -> set[Ref]:
    """Return the classes whose `abstract` may take one of these dimensions as a keyword."""
    found: set[Ref] = set()
    for name in {one.name for one in named}:
        tied = _component(named, _ties(names, name))
        found |= {one for one in tied if isinstance(one, Ref)}
        with_parameter = (r for r, node in names.program.classes.items() if name in node.dims)
        found |= {ref for ref in with_parameter if names.parameter(ref, name) in named}
    return found


def _component(start: Iterable[Named | Ref], ties: _Ties) -> dict[Named | Ref, None]:
    return reachable(start, lambda one: ties.get(one, set()))


def _ties(names: SchemaNames, name: str) -> _Ties:
    """Return what has one size because of this name: dimensions, fields, and their declarations."""
    uses, static_uses, dims = _uses(names, name)
    classes = names.program.classes
    sizes = {
        ref for ref, node in classes.items() if name in node.dims or _has_size(names, ref, name)
    }
    own = {ref for ref in sizes if name not in classes[ref].dims}
    with_arrays = {*_users(dims, uses)}
    with_sizes = {*_users(own, static_uses)}
    below = reachable(with_arrays, lambda one: static_uses.get(one, set()) & with_sizes)
    pairs: list[tuple[Named | Ref, Named | Ref]] = []
    for ref in with_arrays:
        pairs += [(ref, one) for one in (*dims.get(ref, ()), *(uses.get(ref, set()) & with_arrays))]
    for ref in below:
        pairs += [(ref, one) for one in static_uses.get(ref, set()) & with_sizes]
        pairs += [(ref, names.member(ref, name))] if ref in own else []
    for ref in sizes - own:
        if _has_size(names, ref, name):
            pairs.append((names.parameter(ref, name), names.member(ref, name)))
    ties: _Ties = {}
    for one, other in pairs:
        ties.setdefault(one, set()).add(other)
        ties.setdefault(other, set()).add(one)
    return ties


def _uses(names: SchemaNames, name: str) -> tuple[_Uses, _Uses, dict[Ref, set[Named]]]:
    """Return the declarations that each one uses, those outside of dynamic and donated fields, and
    the dimensions with this name that it uses.
    """
    uses: _Uses = {}
    static_uses: _Uses = {}
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
    return uses, static_uses, dims


def _users(refs: Iterable[Ref], uses: Mapping[Ref, AbstractSet[Ref]]) -> dict[Ref, None]:
    """Return the declarations that use one of these, directly or through others, and these."""
    users: _Uses = {}
    for ref, used in uses.items():
        for one in used:
            users.setdefault(one, set()).add(ref)
    return reachable(refs, lambda one: users.get(one, set()))


def _has_size(names: SchemaNames, ref: Ref, name: str) -> bool:
    """Return whether a class has a `static[int]` field with this name."""
    field = names.program.fields.get(ref, {}).get(name)
    return field is not None and field.role == "static" and is_int(field.type)
