"""Check that roles and types fit: static values are immutable and hold no traced data.

grid: static[list[int]]    ->    MUTABLE_TYPE
plate: static[Plate]       ->    STATIC_HOLDS_DYNAMIC
n: donated[int]            ->    DONATED_WITHOUT_ARRAY
n: ref[int]                ->    REF_WITHOUT_ARRAY
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from codegen.check.facts import may_hold_array
from codegen.check.rule import Inspection
from codegen.check.uses import TypeUse, result_uses, type_uses
from codegen.diagnostics import Code, Related
from codegen.program import types
from codegen.program.mutable import mutable_type_fault
from codegen.program.nodes import Class
from codegen.program.types import Ref, Type
from codegen.schema.roles import ROLE_USES
from codegen.schema.vocabulary import PLAIN_TYPES


def check_roles(inspection: Inspection) -> None:
    """Check every field, parameter and result, and the options of classes."""
    for place in type_uses(inspection.program):
        if place.role == "static":
            _check_static(inspection, place, place.type)
        elif place.role == "ref":
            _check_ref(inspection, place)
        else:
            before = len(inspection.found)
            _check_traced(inspection, place, place.type)
            if place.role == "donated" and len(inspection.found) == before:
                _check_donated(inspection, place)
    for place in result_uses(inspection.program):
        _check_traced(inspection, place, place.type)
    for node in inspection.program.classes.values():
        _check_constants(inspection, node)
        _check_use(inspection, node)


# --- donated


def _check_donated(inspection: Inspection, place: TypeUse) -> None:
    if not may_hold_array(place.type, lambda ref: not inspection.facts.is_static(ref)):
        is_bool = isinstance(place.type, types.Scalar) and place.type.name == "bool"
        array = ". For an array of booleans, write `donated[Bool]`" if is_bool else ""
        inspection.add(
            Code.DONATED_WITHOUT_ARRAY,
            place.type.span,
            f"{place.description} is donated, but contains no array",
            label="no buffer to donate",
            advice=f"write `dynamic[{place.type}]` if {ROLE_USES['dynamic']}, or "
            f"`static[{place.type}]` if {ROLE_USES['static']}{array}",
        )


# --- ref


def _check_ref(inspection: Inspection, place: TypeUse) -> None:
    if isinstance(place.type, types.Array):
        return
    advice = (
        "write an array type, such as `ref[f32[n]]`. For several arrays, declare a field for each, "
        "or a class with such fields"
    )
    if types.NoneType() in place.type.options:
        advice = "declare a class with a field for the Ref, and write `dynamic[Class | None]`"
    inspection.add(
        Code.REF_WITHOUT_ARRAY,
        place.type.span,
        f"{place.description} has the role `ref`, but is not an array",
        label="a `jax.Ref` contains exactly one array",
        advice=advice,
    )


# --- static


def _check_static(inspection: Inspection, place: TypeUse, type: Type) -> None:
    if fault := mutable_type_fault(type, place.description):
        inspection.add(Code.MUTABLE_TYPE, type.span, *fault)
    match type:
        case types.Array(dtype="key"):
            inspection.add(
                Code.STATIC_KEY,
                type.span,
                f"{place.description} is static, but a PRNG key is data",
                label="every new key would recompile",
                advice="write `dynamic[key]`, or `static[int]` for a seed",
            )
        case types.ClassType() if not inspection.facts.is_static(type.ref):
            _report_dynamic_in_static(inspection, place, type)
            return
        case types.ClassType() if type.stacked:
            _check_stack(inspection, type)
        case types.Mapping(container="frozendict"):
            _check_frozendict(inspection, place, type)
        case _:
            pass
    for part in type.held:
        _check_static(inspection, place, part)


def _check_frozendict(inspection: Inspection, place: TypeUse, type: types.Mapping) -> None:
    """Refuse `identity` in a frozendict. It is created before a field receives it, and is compared
    by value.
    """
    for part in type.held:
        if isinstance(part, types.Identity):
            inspection.add(
                Code.WRONG_TYPE_ARGUMENTS,
                part.span,
                f"{place.description} has `identity` inside a frozendict",
                label="a frozendict can contain only values that are compared by value",
                advice=f"write `tuple[tuple[{type.key}, {type.value}], ...]`",
            )


def _report_dynamic_in_static(
    inspection: Inspection, place: TypeUse, type: types.ClassType
) -> None:
    """Point at the field that makes the class dynamic."""
    program = inspection.program
    module = type.span.source.module
    name = program.display_name(type.ref, module)
    related: tuple[Related, ...] = ()
    for ref in (type.ref, *program.graph.subclasses(type.ref)):
        node = program.classes[ref]
        field = next((f for f in node.fields if f.role != "static"), None)
        if field is not None:
            shown = program.display_name(ref, module)
            label = f"`{shown}` is dynamic because of this field"
            related = (Related(field.role_span, label),)
            break
    text = type.span.text if type.stacked else type.span.name
    inspection.add(
        Code.STATIC_HOLDS_DYNAMIC,
        type.span,
        f"{place.description} is static, but the class `{name}` is dynamic",
        label="a static value cannot contain traced data",
        advice="make the constant a field: a class constant can contain only static values"
        if place.description.startswith("the class constant")
        else f"write `dynamic[{text}]`. If only the static fields of `{name}` are needed, move them "
        "into a separate class",
        related=related,
    )


# --- dynamic

_STATIC = "write `static[...]`, or move this value into a class with only static fields"
_ALWAYS_STATIC: Final[dict[object, str]] = {
    types.Callable: "a function",
    types.EnumType: "an enum",
    types.Identity: "a value that is compared by identity",
    types.Literals: "a literal",
}


def _check_traced(inspection: Inspection, place: TypeUse, type: Type) -> None:
    """Report types that JAX cannot trace."""
    match type:
        case types.Mapping(container="dict"):
            _check_keys(inspection, place, type.key)
            _check_traced(inspection, place, type.value)
            return
        case types.ClassType():
            _check_stack(inspection, type)
            _check_arguments(inspection, place, type)
            return
        case types.Union():
            _check_forms(inspection, place, type)
        case _:
            pass
    advice = _untraceable_advice(type)
    if not advice:
        for part in type.held:
            _check_traced(inspection, place, part)
        return
    is_result = place.description.startswith("the result")
    inspection.add(
        Code.DYNAMIC_HOLDS_STATIC,
        type.span,
        f"{place.description} {'is traced' if is_result else f'is {place.role}'}, but JAX cannot "
        "trace this type",
        label="not an array, number or pytree",
        advice="return only arrays, numbers and pytrees: static values are known before the call"
        if is_result
        else advice,
    )


def _check_stack(inspection: Inspection, type: types.ClassType) -> None:
    """Refuse a stack of a static class, which has no arrays to stack."""
    if not type.stacked or not inspection.facts.is_static(type.ref):
        return
    inspection.add(
        Code.WRONG_STACK,
        type.span,
        f"`{type.ref.name}` has only static fields, so it cannot be stacked",
        label="needs a class with a dynamic or donated field",
        advice=f"if all layers share one `{type.ref.name}`, write `{type.ref.name}`. If each layer "
        f"has its own, write `tuple[{type.ref.name}, ...]`",
    )


def _check_forms(inspection: Inspection, place: TypeUse, type: types.Union) -> None:
    """Refuse an object and a stack of it in one type: a value could be either."""
    forms: dict[Ref, types.ClassType] = {}
    for member in type.members:
        if not isinstance(member, types.ClassType):
            continue
        if forms.setdefault(member.ref, member).stacked != member.stacked:
            inspection.add(
                Code.WRONG_STACK,
                member.span,
                f"{place.description} can be one `{member.ref.name}` or a stack of `{member.ref.name}`",
                label=f"a stack is itself a `{member.ref.name}`",
                advice="declare two fields, or declare a separate class for the stack",
            )


def _untraceable_advice(type: Type) -> str:
    """Return the advice for a type that JAX cannot trace; empty for one that it can."""
    match type:
        case types.Scalar(name="str" | "bytes"):
            return f"text must be static: {_STATIC}"
        case types.Sequence(container="frozenset"):
            return "a frozenset has no order to trace: write `tuple[T, ...]`, or use a static role"
        case types.Mapping():
            return (
                "JAX does not treat a frozendict as a pytree: write `dict[K, V]`, or use a "
                "static role"
            )
        case types.PlainType():
            return f"{PLAIN_TYPES[type.name].description} must be static: {_STATIC}"
        case _:
            what = _ALWAYS_STATIC.get(type.__class__)
            return f"{what} must be static: {_STATIC}" if what is not None else ""


def _check_keys(inspection: Inspection, place: TypeUse, key: Type) -> None:
    """Check the keys of a dict. JAX sorts them, and compares them by `==` in the trace key."""
    for part in key.iter_held():
        is_mixed = _is_mixed(part)
        if is_mixed or not _may_be_key(inspection, part):
            inspection.add(
                Code.DYNAMIC_HOLDS_STATIC,
                part.span,
                f"{place.description} has a dict with keys "
                + ("of several types" if is_mixed else "that JAX cannot sort"),
                label="JAX cannot distinguish `1` from `True`, and cannot sort `1` and `'a'`"
                if is_mixed
                else "not a valid key",
                advice="use keys of type `str` or `int`, or tuples of these",
            )
            return


def _is_mixed(type: Type) -> bool:
    """Return whether values may be of several types: `{True: x}` would run the code compiled for
    `{1: x}`.
    """
    if isinstance(type, types.Literals):
        return len({value.__class__ for value in type.values}) > 1
    return isinstance(type, types.Anything | types.Union)


def _may_be_key(inspection: Inspection, type: Type) -> bool:
    match type:
        case types.Scalar():
            return type.name not in ("float", "complex")  # NaN has no order, -0.0 equals 0.0
        case types.EnumType():
            return inspection.program.enums[type.ref].kind in ("IntEnum", "StrEnum", "IntFlag")
        case types.Sequence():
            return type.container == "tuple"
        case _:
            return isinstance(type, types.Literals | types.External | types.FixedTuple)


def _check_arguments(inspection: Inspection, place: TypeUse, type: types.ClassType) -> None:
    """Check a type argument in each role that its parameter has in the class."""
    parameters = inspection.facts.parameters.get(type.ref, ())
    for parameter, argument in zip(parameters, type.arguments, strict=False):
        what = f"the parameter `{parameter.name}` of `{type.ref.name}` in {place.description}"
        for role in sorted(parameter.roles):
            inner = replace(place, role=role, description=what)
            if role == "static":
                _check_static(inspection, inner, argument)
            else:
                _check_traced(inspection, inner, argument)


# --- classes


def _check_constants(inspection: Inspection, node: Class) -> None:
    for constant in node.constants:
        array = next(
            (part for part in constant.type.iter_held() if isinstance(part, types.Array)), None
        )
        if array is None:
            what = f"the class constant `{constant.name}`"
            place = TypeUse("static", constant.type, what, constant.span)
            _check_static(inspection, place, constant.type)
            continue
        inspection.add(
            Code.NOT_A_TYPE,
            array.span,
            f"the class constant `{constant.name}` cannot be an array",
            label="importing a generated module creates no arrays",
            advice=f"write `float`, `int` or a tuple of these, or make `{constant.name}` a static "
            "field",
        )


def _check_use(inspection: Inspection, node: Class) -> None:
    is_static = inspection.facts.is_static(node.ref)
    if node.use is None or (node.use == "static") == is_static:
        return
    actual = "static" if is_static else "dynamic"
    field = next((f for f in node.fields if f.role != "static"), None)
    related: tuple[Related, ...] = ()
    if field is not None:
        related = (Related(field.role_span, "dynamic because of this field"),)
    inspection.add(
        Code.USE_MISMATCH,
        node.use_span,
        f'the class `{node.ref.name}` has `use="{node.use}"`, but it is {actual}',
        label=f"the class is {actual}",
        advice=f"remove `use`, or give `{node.ref.name}` a dynamic or donated field"
        if is_static
        else f"remove `use`, or make every field of `{node.ref.name}` static",
        related=related,
    )
