"""The names of a class's members, of parameters, and of the type parameters that a class uses.

class Mode(Enum): ...
class Solver: Mode: static[Mode]    ->    RESERVED_NAME: inside the class, `Mode` is the field
class Box: content: dynamic[T]      ->    UNDECLARED_TYPE_PARAMETER

The random key of a field is folded from its path. Each name of the path counts with 32 bits, its
CRC-32 (`codegen/runtime/dims.py`). Two fields in a class of thousands may have the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterable
from keyword import iskeyword

from codegen.check.facts import classes_with_init, tags_of
from codegen.check.imports import refs_in_value
from codegen.check.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import Class, Function, Value
from codegen.program.references import (
    annotated_types,
    defaults_of,
    refs_in_types,
    signature_types,
    values_with_inherited,
)
from codegen.program.substitution import bases_of
from codegen.program.types import Ref, Type, TypeParameter
from codegen.schema.names import INIT_MEMBERS, TAG_MEMBERS
from codegen.source import Span


def check_names(inspection: Inspection) -> None:
    """Check the names of every class's members and every function's parameters."""
    tagged, initialized = tags_of(inspection.program), classes_with_init(inspection.program)
    _check_optional(inspection, tagged, TAG_MEMBERS, "tagged fields", "the tags")
    _check_optional(inspection, initialized, INIT_MEMBERS, "fields with `init=`", "`init=`")
    for node in inspection.program.classes.values():
        _check_keys(inspection, node)
        _check_members(inspection, node)
        for method in node.methods:
            _check_parameters(inspection, method)
    for function in inspection.program.functions:
        _check_parameters(inspection, function)


def _check_members(inspection: Inspection, node: Class) -> None:
    types = [*annotated_types(node), *(constant.type for constant in node.constants)]
    used = {*_own_names(node.ref.module, types, values_with_inherited(node)), *node.type_parameters}
    if not inspection.facts.is_static(node.ref):
        used.add(node.ref.name)  # `draft` returns a `Plate.Draft`
    taken = {one.name for one in (*node.fields, *node.members)}
    for member in node.members:
        if member.name in used:
            advice = f"rename it to `{_free_name(member.name, taken)}`"
            _report_hidden(inspection, member.span, "member", member.name, advice)
    own = {field.name for field in node.own_fields}
    for field in node.fields:
        if field.name in used and field.name not in own:
            advice = "rename the class, or the field where it is declared"
            _report_hidden(inspection, node.span, "inherited field", field.name, advice)


def _check_optional(
    inspection: Inspection, asking: Container[Ref], names: Container[str], what: str, advice: str
) -> None:
    """Report members with the names of methods that only some classes have: `asking`."""
    program = inspection.program
    for node in (one for ref, one in program.classes.items() if ref in asking):
        bases = [home for home, _ in bases_of(node, program.classes)]
        for home in (node, *(base for base in bases if base.ref not in asking)):
            inherited = "" if home is node else "inherited "
            for member in (one for one in home.members if one.name in names):
                inspection.add(
                    Code.RESERVED_NAME,
                    member.span if home is node else node.span,
                    f"the {inherited}member `{member.name}` collides with a method of classes that "
                    f"have {what}, or contain objects with {what}",
                    label=f"`{node.ref.name}` is such a class",
                    advice=f"rename it to `{member.name}_`, or remove {advice}",
                )


def _check_parameters(inspection: Inspection, function: Function) -> None:
    module = function.span.source.module
    used = _own_names(module, signature_types(function), defaults_of(function))
    taken = {parameter.name for parameter in function.parameters}
    for parameter in function.parameters:
        if parameter.name in used:
            advice = f"rename it to `{_free_name(parameter.name, taken)}`"
            _report_hidden(inspection, parameter.span, "parameter", parameter.name, advice)


def _free_name(name: str, taken: set[str]) -> str:
    other = name.lower()
    while other in taken or iskeyword(other):
        other += "_"
    return other


def _own_names(module: str, types: list[Type], values: Iterable[Value]) -> set[str]:
    """Return the required classes and enums of a module; imported ones get another name there."""
    refs = refs_in_types(*types).union(*map(refs_in_value, values))
    return {ref.name for ref in refs if ref.module == module}


def _report_hidden(inspection: Inspection, span: Span, what: str, name: str, advice: str) -> None:
    inspection.add(
        Code.RESERVED_NAME,
        span,
        f"the {what} `{name}` hides the type `{name}` in the same scope",
        label="Python and type checkers would confuse the two",
        advice=advice,
    )


def _check_keys(inspection: Inspection, node: Class) -> None:
    own = {field.name for field in node.own_fields}
    first: dict[int, str] = {}
    for field in (one for one in node.fields if one.role != "static"):
        other = first.setdefault(zlib.crc32(field.name.encode()), field.name)
        if other == field.name or not own & {field.name, other}:
            continue
        later = field if field.name in own else next(f for f in node.fields if f.name == other)
        inspection.add(
            Code.RESERVED_NAME,
            later.span,
            f"the fields `{other}` and `{field.name}` would get the same random key from `init`",
            label="both names have the same CRC-32, from which keys are derived",
            advice=f"rename `{other}` or `{field.name}`",
        )


def check_type_parameters(inspection: Inspection) -> None:
    """Check the fields of every class."""
    for node in inspection.program.classes.values():
        undeclared: dict[str, Type] = {}
        bases = node.base.arguments if node.base else ()
        for type in (*bases, *(field.type for field in node.own_fields)):
            for part in type.iter_held():
                if isinstance(part, TypeParameter) and part.name not in node.type_parameters:
                    undeclared.setdefault(part.name, part)
        for name, part in undeclared.items():
            _report_undeclared_type_parameter(inspection, node, name, part)


def _report_undeclared_type_parameter(
    inspection: Inspection, node: Class, name: str, part: Type
) -> None:
    declared = ", ".join([*node.type_parameters, name])
    bases = node.base is not None or node.mixins
    inspection.add(
        Code.UNDECLARED_TYPE_PARAMETER,
        part.span,
        f"the class `{node.ref.name}` uses the type parameter `{name}` but does not declare it",
        label="undeclared type parameter",
        advice=f"write `class {node.ref.name}({'..., ' if bases else ''}Generic[{declared}])`",
    )
