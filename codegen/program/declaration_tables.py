"""A module's declarations of saved data: for checkpoints, and for static values as plain data.

class Grid: nx: static[int]  # codegen: was[columns]
# {"heat.Grid": {"kind": "class", "fields": {"nx": "static int"}, "former": {"columns": "nx"}}}
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from codegen.program import types
from codegen.program.nodes import Class, Enum, Module, Program
from codegen.program.types import Ref, Type, former_refs

# Only strings, and lists and dicts of them.
Table: TypeAlias = "dict[str, str | list[str] | Table]"


def declaration_table(module: Module) -> dict[str, Table]:
    """Return what checkpoints need to know about a module's classes, enums and imports."""
    table = {str(node.ref): _class(node) for node in module.classes}
    table |= {str(enum.ref): _enum(enum) for enum in module.enums}
    dims: Table = {dim.name: list(dim.was) for dim in module.dims}
    facts = _without_empty(kind="module", dims=dims, imports=_imports(module))
    return {**table, module.name: facts}


def imported_names(module: Module) -> list[str]:
    """Return what a module imports from outside, also in the aliases that its fields use."""
    own = {one.module for one in module.imports}
    used = _types_in_fields(module)
    external = [one for one in used if isinstance(one, types.External) and one.module not in own]
    return [*_imports(module), *dict.fromkeys(f"{one.module}:{one.name}" for one in external)]


def declared_renames(module: Module, program: Program) -> dict[str, list[str]]:
    """Return former names: of classes, enums, their members, and of the dimensions in fields.

    {"Plate": ["heat.Slab"], "Scheme.EXPLICIT": ["FORWARD"], "nx": ["columns"]}
    """
    nodes: tuple[Class | Enum, ...] = (*module.classes, *module.enums)
    was = {node.ref.name: [*map(str, former_refs(node.ref, node.was))] for node in nodes}
    for enum in module.enums:
        was |= {f"{enum.ref.name}.{member.name}": [*member.was] for member in enum.members}
    own = {dim.name for dim in module.dims}
    dims = [dim for type in _types_in_fields(module) for dim in type.own_dims]
    used = {name.removeprefix("*") for dim in dims for name in dim.names} - own
    # The generated code does not import a module for its dimensions.
    imported = {ref.module for ref, _ in module.refs}
    others = [dim for one in program.modules if one.name in imported for dim in one.dims]
    declared = (*module.dims, *(dim for dim in others if dim.name in used))
    was |= {dim.name: [*dim.was] for dim in declared if dim.was}
    return {name: old for name, old in was.items() if old}


def qualified_type_text(type: Type) -> str:
    """Format a type in full: a class with its module, as another schema has to name it."""
    return str(_qualified_type(type))


def _imports(module: Module) -> list[str]:
    return [f"{one.module}:{one.attribute}" for one in module.imports]


def _types_in_fields(module: Module) -> list[Type]:
    """Return the types of all fields, and the types inside them."""
    found = [field.type for node in module.classes for field in node.fields]
    for type in found:
        found += type.children
    return found


def _class(node: Class) -> Table:
    fields: Table = {f.name: f"{f.role} {qualified_type_text(f.type)}" for f in node.fields}
    entries = _without_empty(
        kind="class",
        was=[str(ref) for ref in former_refs(node.ref, node.was)],
        fields=fields,
        parameters=[*node.dims, *node.type_parameters],
        former={old: f.name for f in node.fields for old in f.was},
        shares=[" ".join(".".join(path.parts) for path in one.paths) for one in node.shares],
        default=[f.name for f in node.fields if f.default is not None],
        init=[f.name for f in node.fields if f.init is not None],
        abstract="yes" if node.abstract else "",
        reserved=[one.name for one in node.reserved],
        migrations=[f"{one.since} {one.impl.path}" for one in node.migrations],
    )
    # Classes without fields are read as well.
    return entries | {"fields": fields}


def _enum(node: Enum) -> Table:
    return _without_empty(
        kind="enum",
        was=[str(ref) for ref in former_refs(node.ref, node.was)],
        former={old: member.name for member in node.members for old in member.was},
    )


def _without_empty(**entries: str | list[str] | Table) -> Table:
    """Drop the entries without content."""
    return {name: entry for name, entry in entries.items() if entry}


def _qualified_type(type: Type) -> Type:
    match type:
        case types.Array():
            return replace(type, shape=tuple(dim.canonical({}) for dim in type.shape))
        case types.ClassType():
            dims = tuple(dim.canonical({}) for dim in type.dims)
            type = replace(type, ref=_qualified_ref(type.ref), dims=dims)
        case types.EnumType():
            return replace(type, ref=_qualified_ref(type.ref))
        case types.External():
            type = replace(type, local=f"{type.module}.{type.name}")
        case types.Literals():
            return replace(type, values=tuple(sorted(type.values, key=ascii)))
        case _:
            pass
    return type.map(_qualified_type)


def _qualified_ref(ref: Ref) -> Ref:
    """Return a reference whose name includes its module."""
    return Ref("", str(ref))
