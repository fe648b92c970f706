"""Roles and types must go together: what is static is immutable and holds no traced data, and so on.

    grid: static[list[int]]    ->    MUTABLE_TYPE
    plate: static[Plate]       ->    STATIC_HOLDS_DYNAMIC
    n: donated[int]            ->    DONATED_WITHOUT_ARRAY
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.checked.facts import descendants
from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Related
from codegen.program.nodes import Class, Field, Module, Parameter
from codegen.program.types import (
    Anything,
    Array,
    Callable,
    ClassType,
    DType,
    EnumType,
    External,
    Literals,
    Mapping,
    Scalar,
    Sequence,
    Type,
    TypeParameter,
    parts,
    walk,
)
from codegen.schema.nodes import Role
from codegen.source import Source, Span

_NUMBERS = ("int", "float", "bool", "complex")


@dataclass(frozen=True, slots=True)
class _Place:
    """A type with its role, somewhere in the program."""

    role: Role
    type: Type
    what: str
    source: Source
    role_span: Span


def check_roles(inspection: Inspection) -> None:
    """Judge every field, parameter and result."""
    for module in inspection.program.modules:
        for node in module.classes:
            for field in node.own_fields:
                _check(inspection, _field_place(node, field))
            _check_use(inspection, node)
        for function in module.functions:
            for parameter in function.parameters:
                _check(inspection, _parameter_place(module, parameter))
            what = f"the result of `{function.name}`"
            _check_dynamic(
                inspection, _Place("dynamic", function.returns, what, module.source, function.span)
            )


def _field_place(node: Class, field: Field) -> _Place:
    what = f"the field `{field.name}`"
    return _Place(field.role, field.type, what, node.source, field.role_span)


def _parameter_place(module: Module, parameter: Parameter) -> _Place:
    what = f"the parameter `{parameter.name}`"
    assert parameter.role is not None
    return _Place(parameter.role, parameter.type, what, module.source, parameter.role_span)


def _check(inspection: Inspection, place: _Place) -> None:
    if place.role == "static":
        _check_static(inspection, place)
        return
    _check_dynamic(inspection, place)
    if place.role == "donated" and not holds_array(inspection, place.type):
        inspection.add(
            Code.DONATED_WITHOUT_ARRAY,
            place.source,
            place.type.span,
            f"{place.what} is donated, but nothing in it is an array",
            "no buffer to consume",
            "write `dynamic[...]`, or `static[...]` if it belongs to the trace key",
        )


def holds_array(inspection: Inspection, type: Type) -> bool:
    """Say whether a value of a type may hold an array that is traced."""
    return any(
        isinstance(t, Array | Anything | External | TypeParameter)
        or (isinstance(t, ClassType) and not inspection.facts.is_static(t.ref))
        for t in walk(type)
    )


def _check_static(inspection: Inspection, place: _Place) -> None:
    for type in walk(place.type):
        match type:
            case Sequence(container="list") | Mapping(container="dict"):
                immutable = "tuple[T, ...]" if isinstance(type, Sequence) else "frozendict[K, V]"
                inspection.add(
                    Code.MUTABLE_TYPE,
                    place.source,
                    type.span,
                    f"{place.what} is static, but `{type.container}` is mutable",
                    "a changed value would run a stale program",
                    f"write `{immutable}`",
                )
            case ClassType() if not inspection.facts.is_static(type.ref):
                _static_holds_dynamic(inspection, place, type)
            case _:
                pass


def _static_holds_dynamic(inspection: Inspection, place: _Place, type: ClassType) -> None:
    """Point at the field that makes the class dynamic."""
    program = inspection.program
    related: tuple[Related, ...] = ()
    for ref in (type.ref, *descendants(program, type.ref)):
        node = program.classes[ref]
        field = next((f for f in node.fields if f.role != "static"), None)
        if field is not None:
            source = program.classes[field.owner].source
            label = f"`{ref.name}` is dynamic because of this field"
            related = (Related(source, field.role_span, label),)
            break
    inspection.add(
        Code.STATIC_HOLDS_DYNAMIC,
        place.source,
        type.span,
        f"{place.what} is static, but the class `{type.ref.name}` is dynamic",
        "a static value cannot hold traced data",
        f"write `dynamic[{type.ref.name}]`, or move its static fields into a class of their own",
        related,
    )


def _check_dynamic(inspection: Inspection, place: _Place) -> None:
    _check_traced(inspection, place, place.type)


def _check_traced(inspection: Inspection, place: _Place, type: Type) -> None:
    help = ""
    match type:
        case Scalar(name="str" | "bytes"):
            help = "text is static: write `static[...]`"
        case EnumType():
            help = "an enum is static: write `static[...]`"
        case Callable():
            help = "a function is static: write `static[...]`"
        case DType():
            help = "a dtype is static: write `static[...]`"
        case Literals():
            help = "a literal is static: write `static[...]`"
        case Sequence(container="frozenset"):
            help = "a frozenset is static; data goes into `tuple[T, ...]` or `dict[K, V]`"
        case Mapping(container="frozendict"):
            help = "a frozendict is static; data goes into `dict[K, V]`"
        case Mapping():
            _check_traced(inspection, place, type.value)
            return
        case _:
            for part in parts(type):
                _check_traced(inspection, place, part)
            return
    inspection.add(
        Code.DYNAMIC_HOLDS_STATIC,
        place.source,
        type.span,
        f"{place.what} is {place.role if place.role != 'static' else 'dynamic'}, "
        "but JAX cannot trace this type",
        "no array, number or pytree",
        help,
    )


def _check_use(inspection: Inspection, node: Class) -> None:
    is_static = inspection.facts.is_static(node.ref)
    if node.use is None or (node.use == "static") == is_static:
        return
    actual = "static" if is_static else "dynamic"
    field = next((f for f in node.fields if f.role != "static"), None)
    owner = inspection.program.classes[field.owner] if field else None
    inspection.add(
        Code.USE_MISMATCH,
        node.source,
        node.use_span,
        f'the class `{node.ref.name}` says `use="{node.use}"`, but it is {actual}',
        f"it is {actual}",
        "give it a dynamic or donated field, or drop the option"
        if is_static
        else "make the field static, or drop the option",
        (Related(owner.source, field.role_span, "dynamic because of this field"),)
        if field and owner
        else (),
    )


