"""A default must be a value of its field's type.

dx: static[float] = "0.01"    ->    WRONG_DEFAULT
"""

from __future__ import annotations

from codegen.check.assignable import NO_AXES, Misfit, coerce
from codegen.check.rule import Inspection
from codegen.check.rules.options import array_of
from codegen.check.uses import DefaultUse, default_uses
from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.mutable import default_help
from codegen.program.nodes import Class, Construction, Value, is_none, iter_values
from codegen.program.types import Mapping, Type
from codegen.schema.scope import counted, listed


def check_defaults(inspection: Inspection) -> None:
    """Check every default against its type."""
    for place in default_uses(inspection.program):
        right = _check_calls(inspection, place.value)
        if right and not place.is_converted:
            _check_fit(inspection, place.value, place.type, place.description, place)


def _is_initialized(place: DefaultUse) -> bool:
    """Return whether it is a field whose array is created by `init`."""
    return place.is_field and place.role != "static" and array_of(place.type) is not None


def _optional_advice(place: DefaultUse) -> str:
    """Format a type that also takes None."""
    text = " ".join(place.type.span.text.split())
    union = f"{text} | None"
    return f"write `{place.role}[{union}]`" if place.role else f"write `{union}`"


def _check_fit(
    inspection: Inspection, value: Value, type: Type, what: str, place: DefaultUse | None = None
) -> None:
    wrong = coerce(value, type, inspection.program)
    if not isinstance(wrong, Misfit):
        return
    advice = wrong.advice
    if place is not None and is_none(value) and place.role != "ref":
        advice = _optional_advice(place)
    elif place is not None and wrong.value is value and isinstance(place.type, Mapping):
        advice = default_help(place.type, place.role, is_field=place.is_field) or advice
    elif place is not None and advice == NO_AXES and _is_initialized(place):
        advice = 'a number has no axes: write, for example, `field(init="zeros")`'
    inspection.add(
        Code.WRONG_DEFAULT,
        wrong.value.span,
        f"{what} does not fit its type",
        label=f"expected {wrong.expected}" if wrong.expected else "no default is possible",
        advice=advice,
    )


# --- calls of classes


def _check_calls(inspection: Inspection, value: Value) -> bool:
    """Check the calls of classes inside a value. Return whether all are correct."""
    calls = [one for one in iter_values(value) if isinstance(one, Construction)]
    right = [_check_call(inspection, call) for call in calls]
    return all(right)


def _check_call(inspection: Inspection, call: Construction) -> bool:
    node = inspection.program.classes[call.ref]
    class_name = inspection.program.display_name(call.ref, call.span.source.module)
    if node.abstract or not inspection.facts.is_static(call.ref):
        inspection.add(
            Code.WRONG_DEFAULT,
            call.span,
            f"the class `{class_name}` cannot be called"
            if node.abstract
            else f"a default cannot contain an object of the class `{class_name}`",
            label=f"`{class_name}` is {'abstract' if node.abstract else 'not static'}",
            advice=f"call a subclass of `{class_name}`"
            if node.abstract
            else "remove the default. All uses of a default share one object, so it must be static",
        )
        return False
    arguments = _arguments_by_name(inspection, call, node, class_name)
    if arguments is None:
        return False
    fields = {field.name: field for field in node.fields}
    for name, value in arguments.items():
        if fields[name].convert is None:
            what = f"the argument `{name}` of `{class_name}`"
            _check_fit(inspection, value, fields[name].type, what)
    missing = [n for n, f in fields.items() if f.default is None and n not in arguments]
    if missing:
        _report_call(
            inspection,
            call,
            f"`{class_name}` is called without {listed(missing)}",
            "missing argument",
            f"write `{call.span.name}({', '.join(f'{n}=...' for n in missing)})` with values",
        )
    return not missing


def _arguments_by_name(
    inspection: Inspection, call: Construction, node: Class, class_name: str
) -> dict[str, Value] | None:
    """Return the arguments of a call by name, or None after a report."""
    names = [field.name for field in node.positional]
    if len(call.arguments) > len(names):
        extra = call.arguments[len(names)]
        message = f"`{class_name}` takes {counted(len(names), 'positional argument')}"
        advice = "pass this value by keyword: arguments from the first default on are keyword-only"
        _report_call(inspection, extra, message, "too many arguments", advice)
        return None
    arguments = dict(zip(names, call.arguments, strict=False))
    fields = [field.name for field in node.fields]
    for name, value in call.keywords:
        if name not in fields:
            message = f"`{class_name}` has no field `{name}`"
            advice = did_you_mean(
                name, fields, f"the fields are {listed(fields)}" if fields else ""
            )
            _report_call(inspection, value, message, "unknown argument", advice)
            return None
        if name in arguments:
            message = f"`{class_name}` gets the argument `{name}` twice"
            advice = f"pass `{name}` only once"
            _report_call(inspection, value, message, "already given", advice)
            return None
        arguments[name] = value
    return arguments


def _report_call(inspection: Inspection, at: Value, message: str, label: str, advice: str) -> None:
    inspection.add(Code.WRONG_DEFAULT, at.span, message, label=label, advice=advice)
