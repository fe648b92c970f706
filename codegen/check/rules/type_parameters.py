"""A class declares the type parameters that it uses.

class Box: content: dynamic[T]    ->    UNDECLARED_TYPE_PARAMETER
"""

from __future__ import annotations

from codegen.check.rule import Inspection
from codegen.diagnostics import Code
from codegen.program.nodes import Class
from codegen.program.types import Type, TypeParameter, walk


def check_type_parameters(inspection: Inspection) -> None:
    """Judge the fields of every class."""
    for node in inspection.program.classes.values():
        undeclared: dict[str, Type] = {}
        bases = node.base.arguments if node.base else ()
        for type in (*bases, *(field.type for field in node.own_fields)):
            for part in walk(type):
                if isinstance(part, TypeParameter) and part.name not in node.type_parameters:
                    undeclared.setdefault(part.name, part)
        for name, part in undeclared.items():
            _report(inspection, node, name, part)


def _report(inspection: Inspection, node: Class, name: str, part: Type) -> None:
    declared = ", ".join([*node.type_parameters, name])
    bases = node.base is not None or node.mixins
    inspection.add(
        Code.UNDECLARED_TYPE_PARAMETER,
        node.source,
        part.span,
        f"the class `{node.ref.name}` uses the type parameter `{name}` and does not declare it",
        label="of which class?",
        advice=f"write `class {node.ref.name}({'..., ' if bases else ''}Generic[{declared}])`",
    )
