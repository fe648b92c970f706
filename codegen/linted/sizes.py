"""Which dimensions an object says the size of.

bound_names(program)[Ref("heat", "Plate")]    ->    {"nx", "ny"}
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.program.nodes import Class, Program
from codegen.program.types import ClassType, DimName, Ref, dims_in, is_int, walk


def bound_names(program: Program) -> dict[Ref, frozenset[str]]:
    """The dimensions that are an axis or a `static[int]` field of each class, or below it."""
    bound: dict[Ref, frozenset[str]] = dict.fromkeys(program.classes, frozenset())
    changed = True
    while changed:
        changed = False
        for ref, node in program.classes.items():
            found = frozenset(_bound(program, node, bound))
            changed = changed or found != bound[ref]
            bound[ref] = found
    return bound


def _bound(program: Program, node: Class, bound: dict[Ref, frozenset[str]]) -> Iterator[str]:
    for field in node.fields:
        if field.role == "static" and is_int(field.type):
            yield field.name
        for part in walk(field.type):
            # What a class is given for its parameters, an array in it has.
            dims = part.stacked if isinstance(part, ClassType) else dims_in(part)
            yield from (dim.name for dim in dims if isinstance(dim, DimName))
            if isinstance(part, ClassType):
                yield from _inside(part, program.classes[part.ref], bound[part.ref])


def _inside(type: ClassType, node: Class, names: frozenset[str]) -> Iterator[str]:
    """The names of a nested class, its parameters as the holder calls them."""
    given = dict(zip(node.dims, type.dims, strict=False))
    for name in names:
        dim = given.get(name)
        if isinstance(dim, DimName):
            yield dim.name
        elif name not in node.dims:
            yield name


def holders(program: Program) -> dict[Ref, set[Ref]]:
    """The classes that hold or extend each class, and its bases, whose fields it has too."""
    found: dict[Ref, set[Ref]] = {ref: set() for ref in program.classes}
    for ref, node in program.classes.items():
        for field in node.fields:
            for part in walk(field.type):
                if isinstance(part, ClassType):
                    found[part.ref].add(ref)
        if node.base is not None:
            found[node.base.ref].add(ref)
    return found
