"""In whose terms each field of a class is written, and over which mesh axes its dimensions go.

class Base(dims=(a, b)): w: dynamic[f32[a, b]]
class Mid(Base[n, m]): v: dynamic[f32[n]]         # `w` is in the terms of `Base`, `v` in its own
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.drawing import Drawing
from codegen.program import types
from codegen.program.nodes import Class, Field


def holds_arrays(field: Field, drawing: Drawing) -> bool:
    """Say whether a field's values have shapes: arrays, constant ones, or parameters that are sizes."""
    return field.role != "static" or drawing.has_shapes(field.type)


def parameter_name(node: Class, name: str) -> str:
    """Return how a type parameter is known: a subclass may have one of the same name."""
    return f"{node.ref.name}.{name}"


class BaseTerms(Struct, frozen=True):
    """A base, what it is to the class that derives from it, and fields in its own terms."""

    node: Class
    type: types.ClassType
    fields: tuple[Field, ...]


def bases_in_terms(node: Class, drawing: Drawing) -> list[BaseTerms]:
    """Return the bases of a class, nearest first, up to the last one that has parameters."""
    found: list[BaseTerms] = []
    fields = {f.name: f for f in node.fields}
    declared = {f.name for f in node.own_fields}
    child = node
    while child.base is not None:
        parent = drawing.program.classes[child.base.ref]
        own = [f for f in parent.own_fields if f.name not in declared]
        declared |= {f.name for f in own}
        held = [f for f in own if _is_in_own_terms(f, fields[f.name], parent, drawing)]
        found.append(BaseTerms(parent, child.base, tuple(held)))
        child = parent
    while found and not (found[-1].node.dims or found[-1].node.type_parameters):
        found.pop()
    return found


def _is_in_own_terms(field: Field, now: Field, node: Class, drawing: Drawing) -> bool:
    """Say whether a field is written in the terms of the base that declares it.

    Where a class below has said what its type parameter is, that says more.
    """
    if field.role == "static" and field.name in node.dims:
        return True
    if not (node.dims or node.type_parameters) or not holds_arrays(now, drawing):
        return False
    generic, still = (
        any(isinstance(part, types.TypeParameter) for part in types.walk(one.type))
        for one in (field, now)
    )
    return still or not generic


def mesh_axes(node: Class) -> dict[str, tuple[str, ...]]:
    """Return the mesh axes of each dimension that has some and that a field names."""
    found: dict[str, tuple[str, ...]] = {}
    for field in node.fields:
        for part in types.walk(field.type) if field.role != "static" else ():
            # The length of a tuple is no axis of an array.
            dims = () if isinstance(part, types.Sequence) else types.dims_in(part)
            for dim in dims:
                if isinstance(dim, types.DimName) and dim.mesh:
                    found.setdefault(dim.name, dim.mesh)
    return found
