"""The dimensions of a class: the classes that name them, and their mesh axes.

class Base(dims=(a, b)): w: dynamic[f32[a, b]]
class Mid(Base[n, m]): v: dynamic[f32[n]]         # `w` uses the names of `Base`, `v` those of `Mid`
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.contents import ObjectContents
from codegen.program import types
from codegen.program.nodes import Class, Field


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
