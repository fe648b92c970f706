"""Modules must be importable beside each other, and enums must be what Python's enum accepts.

    schemas/a.pyi and schemas/a/b.pyi    ->    MODULE_AND_PACKAGE
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import Class, Constant, Enum, Module
from codegen.program.types import TypeParameter, walk
from codegen.source import Span


def check_modules(inspection: Inspection) -> None:
    """Judge the names of modules, the members of enums and the use of type parameters."""
    names = {m.name for m in inspection.program.modules}
    for module in inspection.program.modules:
        if any(other.startswith(f"{module.name}.") for other in names):
            inspection.add(
                Code.MODULE_AND_PACKAGE,
                module.source,
                Span(0, 0),
                f"`{module.name}` is both a schema and a folder of schemas",
                "",
                "Python would find only one of them: rename the file or the folder",
            )
        for node in module.enums:
            _check_enum(inspection, module, node)
        for cls in module.classes:
            _check_type_parameters(inspection, cls)


def _check_enum(inspection: Inspection, module: Module, node: Enum) -> None:
    for member in node.members:
        value = member.value
        if member.name == "mro" or (member.name.startswith("_") and member.name.endswith("_")):
            inspection.add(
                Code.RESERVED_NAME,
                module.source,
                member.span,
                f"the member `{member.name}` has a name that enums use themselves",
                "",
                "choose another name",
            )
        if value is None:
            continue
        wanted = {"StrEnum": str, "Enum": None}.get(node.kind, int)
        found = value.value if isinstance(value, Constant) else ...
        if wanted is not None and found.__class__ is not wanted:
            inspection.add(
                Code.WRONG_DEFAULT,
                module.source,
                value.span,
                f"the member `{member.name}` of the {node.kind} `{node.ref.name}` has a wrong value",
                f"expected `{wanted.__name__}`",
                "",
            )


def _check_type_parameters(inspection: Inspection, node: Class) -> None:
    for field in node.fields:
        for type in walk(field.type):
            if isinstance(type, TypeParameter) and type.name not in node.type_parameters:
                inspection.add(
                    Code.UNKNOWN_NAME,
                    node.source,
                    type.span,
                    f"`{node.ref.name}` uses the type parameter `{type.name}` without declaring it",
                    "",
                    f"write `class {node.ref.name}(Generic[{type.name}])`",
                )
