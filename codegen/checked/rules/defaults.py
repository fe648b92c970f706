"""A default must be a value of its field's type.

    dx: static[float] = "0.01"    ->    WRONG_DEFAULT
"""

from __future__ import annotations

from collections.abc import Callable as Function

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import (
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    Items,
    Value,
)
from codegen.program.types import (
    AnyDims,
    Anything,
    Array,
    Batch,
    Callable,
    ClassType,
    DType,
    EnumType,
    External,
    FixedTuple,
    Literals,
    Mapping,
    NoneType,
    Ref,
    Scalar,
    Sequence,
    Type,
    TypeParameter,
    Union,
)
from codegen.source import Source

Misfit = tuple[Value, str]  # the value that does not fit, and what was expected


def check_defaults(inspection: Inspection) -> None:
    """Judge every default against its type."""
    for module in inspection.program.modules:
        for node in module.classes:
            for field in node.own_fields:
                what = f"the default of `{field.name}`"
                # A converter may take something else than the field's type.
                if field.default is not None and field.convert is None:
                    _check(inspection, module.source, field.default, field.type, what)
            for constant in node.constants:
                what = f"the value of `{constant.name}`"
                _check(inspection, module.source, constant.value, constant.type, what)
            for method in node.methods:
                for parameter in method.parameters:
                    what = f"the default of `{parameter.name}`"
                    if parameter.default is not None:
                        _check(inspection, module.source, parameter.default, parameter.type, what)
        for function in module.functions:
            for parameter in function.parameters:
                what = f"the default of `{parameter.name}`"
                if parameter.default is not None:
                    _check(inspection, module.source, parameter.default, parameter.type, what)


def _check(inspection: Inspection, source: Source, value: Value, type: Type, what: str) -> None:
    check_constructions(inspection, source, value)
    wrong = misfit(inspection, value, type)
    if wrong is not None:
        inspection.add(
            Code.WRONG_DEFAULT,
            source,
            wrong[0].span,
            f"{what} has the wrong type",
            f"expected {wrong[1]}",
            "",
        )


def check_constructions(inspection: Inspection, source: Source, value: Value) -> None:
    """Judge the calls of classes inside a value against their constructors."""
    match value:
        case Construction():
            _construction(inspection, source, value)
            inner = [*value.arguments, *(v for _, v in value.keywords)]
        case Items():
            inner = list(value.items)
        case Entries():
            inner = [v for pair in value.items for v in pair]
        case _:
            return
    for item in inner:
        check_constructions(inspection, source, item)


def _construction(inspection: Inspection, source: Source, call: Construction) -> None:
    node = inspection.program.classes[call.ref]
    complain: Function[[Value, str, str], None] = lambda at, message, label: inspection.add(  # noqa: E731
        Code.WRONG_DEFAULT, source, at.span, message, label, ""
    )
    if node.abstract or not inspection.facts.is_static(call.ref):
        complain(
            call,
            f"`{call.ref.name}` cannot be called in a default",
            "it is abstract" if node.abstract else "it is not a static class",
        )
        return
    names = positional_names(inspection, call.ref)
    if len(call.arguments) > len(names):
        complain(
            call.arguments[len(names)],
            f"`{call.ref.name}` takes {len(names)} positional arguments",
            "one too many; from the first default on, fields are keyword-only",
        )
        return
    given = [*zip(names, call.arguments, strict=False), *call.keywords]
    fields = {f.name: f for f in node.fields}
    for name, value in given:
        field = fields.get(name)
        wrong = misfit(inspection, value, field.type) if field and not field.convert else None
        if field is None or [n for n, _ in given].count(name) > 1:
            complain(
                value,
                f"`{call.ref.name}` is called with a wrong argument",
                f"no field `{name}`" if field is None else f"`{name}` is given twice",
            )
        elif wrong is not None:
            complain(wrong[0], f"the argument `{name}` has the wrong type", f"expected {wrong[1]}")
    missing = [n for n, f in fields.items() if f.default is None and n not in dict(given)]
    if missing:
        complain(
            call,
            f"`{call.ref.name}` is called without `{missing[0]}`",
            "a field without a default",
        )


def positional_names(inspection: Inspection, ref: Ref) -> list[str]:
    """Return the fields that a class's constructor takes by position: those before the first default."""
    node = inspection.program.classes[ref]
    names: list[str] = []
    for field in () if node.kw_only else node.fields:
        if field.default is not None:
            break
        names.append(field.name)
    return names


def misfit(inspection: Inspection, value: Value, type: Type) -> Misfit | None:
    """Return the part of a value that does not fit a type, with what was expected; None if all fits."""
    match type:
        case Union():
            found = [misfit(inspection, value, member) for member in type.members]
            if any(m is None for m in found):
                return None
            return value, " or ".join(dict.fromkeys(m[1] for m in found if m))
        case Sequence() | FixedTuple():
            return _items_misfit(inspection, value, type)
        case Mapping():
            return _entries_misfit(inspection, value, type)
        case ClassType():
            return _class_misfit(inspection, value, type)
        case _:
            expected = _simple_misfit(value, type)
            return (value, expected) if expected else None


def _items_misfit(
    inspection: Inspection, value: Value, type: Sequence | FixedTuple
) -> Misfit | None:
    container = type.container if isinstance(type, Sequence) else "tuple"
    if container == "list":
        return value, "no default: a list is mutable"
    if not isinstance(value, Items) or value.container != container:
        return value, f"a {container}"
    if isinstance(type, FixedTuple):
        if len(value.items) != len(type.elements):
            return value, f"a tuple of {len(type.elements)}"
        pairs = list(zip(value.items, type.elements, strict=True))
    else:
        pairs = [(item, type.element) for item in value.items]
    return next((m for m in (misfit(inspection, v, t) for v, t in pairs) if m), None)


def _entries_misfit(inspection: Inspection, value: Value, type: Mapping) -> Misfit | None:
    if type.container == "dict":
        return value, "no default: a dict is mutable"
    if not isinstance(value, Entries):
        return value, "a frozendict"
    for key, item in value.items:
        wrong = misfit(inspection, key, type.key) or misfit(inspection, item, type.value)
        if wrong is not None:
            return wrong
    return None


def _class_misfit(inspection: Inspection, value: Value, type: ClassType) -> Misfit | None:
    if isinstance(value, Construction):
        ancestor: Ref | None = value.ref
        while ancestor is not None:
            if ancestor == type.ref:
                return None
            base = inspection.program.classes[ancestor].base
            ancestor = base.ref if base else None
    return value, f"`{type.ref.name}(...)`"


def _simple_misfit(value: Value, type: Type) -> str:
    """Return what was expected of a value without parts, "" where it fits."""
    constant = value.value if isinstance(value, Constant) else ...
    match type:
        case Anything() | TypeParameter():
            return ""
        case External():
            return "no default: the schema knows nothing about this type"
        case Callable():
            return "no default: functions are named by `impl` alone"
        case NoneType():
            return "" if constant is None else "`None`"
        case Scalar():
            return "" if _is_scalar(constant, type.name) else f"`{type.name}`"
        case Literals():
            same = [v for v in type.values if v == constant and v.__class__ is constant.__class__]
            return "" if same else "one of " + ", ".join(ascii(v) for v in type.values)
        case EnumType():
            same_enum = isinstance(value, EnumMember) and value.ref == type.ref
            return "" if same_enum else f"a member of `{type.ref.name}`"
        case DType():
            return "" if isinstance(value, DTypeName) else "a dtype such as `f32`"
        case Array():
            return _array_misfit(constant, type)
        case _:
            return "another value"


def _is_scalar(value: object, name: str) -> bool:
    accepted: dict[str, tuple[type[object], ...]] = {
        "int": (int,),
        "float": (int, float),
        "complex": (int, float, complex),
        "bool": (bool,),
        "str": (str,),
        "bytes": (bytes,),
    }
    return value.__class__ in accepted[name]


_SCALAR_OF_DTYPE = {"f": "float", "b": "bool", "c": "complex", "i": "int", "u": "int"}
_SCALAR_OF_KIND = {"Float": "float", "Int": "int", "UInt": "int", "Bool": "bool", "Real": "float"}


def _array_misfit(value: object, type: Array) -> str:
    """A number fits a 0-d array of a dtype that can hold it."""
    if type.dtype == "key":
        return "no default: a key is made by `jax.random.key`"
    if any(not isinstance(d, AnyDims | Batch) for d in type.shape):
        return "no default: a number is a 0-d array, and this array has axes"
    if type.dtype[0].islower():
        short = "float" if type.dtype.startswith("bfloat") else type.dtype
        scalar = _SCALAR_OF_DTYPE[short[0]]
        scalar = "bool" if type.dtype == "bool" else scalar
    else:
        scalar = _SCALAR_OF_KIND.get(type.dtype, "complex")
    unsigned = type.dtype.lower().startswith("uint")
    if _is_scalar(value, scalar) and not (unsigned and isinstance(value, int) and value < 0):
        return ""
    return f"`{scalar}`" + (", not negative" if unsigned else "")
