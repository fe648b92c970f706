"""What a module declares of what is saved: for checkpoints, and for statics as plain data.

class Grid: nx: static[int]  # codegen: was[columns]
# {"heat.Grid": {"kind": "class", "fields": {"nx": "static int"}, "former": {"columns": "nx"}}}
"""

from __future__ import annotations

from typing import TypeAlias

from codegen.program import types
from codegen.program.nodes import Class, Enum, Module
from codegen.program.rewrite import rebuilt
from codegen.program.show import type_text
from codegen.program.types import Ref, Type

# Nothing but texts, lists of them and tables.
Table: TypeAlias = "dict[str, str | list[str] | Table]"


def declared(module: Module) -> Table:
    """Return what the support package has to know of a module's classes, enums and imports."""
    found: Table = {str(node.ref): _class(node) for node in module.classes}
    found |= {str(enum.ref): _enum(enum) for enum in module.enums}
    dims: Table = {dim.name: [] for dim in module.dims}
    imports = [f"{one.module}:{one.attribute}" for one in module.imports]
    return {**found, module.name: _said(kind="module", dims=dims, imports=imports)}


def written(type: Type) -> str:
    """Write a type in full: a class with its module, as another schema has to name it."""
    return type_text(_qualified(type))


def _class(node: Class) -> Table:
    return _said(
        kind="class",
        fields={f.name: f"{f.role} {written(f.type)}" for f in node.fields},
        parameters=[*node.dims, *node.type_parameters],
        former={old: f.name for f in node.fields for old in f.was},
        shares=[" ".join(".".join(path.parts) for path in one.paths) for one in node.shares],
        default=[f.name for f in node.fields if f.default is not None],
        init=[f.name for f in node.fields if f.init is not None],
        abstract="yes" if node.abstract else "",
    )


def _enum(node: Enum) -> Table:
    return _said(kind="enum", members=[member.name for member in node.members])


def _said(**entries: str | list[str] | Table) -> Table:
    """Leave out what there is nothing of."""
    return {name: entry for name, entry in entries.items() if entry}


def _qualified(type: Type) -> Type:
    match type:
        case types.ClassType():
            type = types.ClassType(Ref("", str(type.ref)), type.dims, type.arguments)
        case types.EnumType():
            return types.EnumType(Ref("", str(type.ref)))
        case types.External():
            name = f"{type.module}.{type.name}"
            type = types.External(type.module, type.name, name, type.arguments)
        case types.Literals():
            return types.Literals(tuple(sorted(type.values, key=ascii)))
        case _:
            pass
    return rebuilt(type, _qualified)
