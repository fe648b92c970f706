"""A float in the trace key that programs vary.

def step(plate: donated[Plate], dt: static[float])    ->    SWEPT_STATIC
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codegen.checked.facts import descendants
from codegen.checked.places import Place, place_of, places
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.bind import bases_of
from codegen.program.nodes import Class
from codegen.program.types import (
    ClassType,
    NoneType,
    Ref,
    Scalar,
    Type,
    Union,
    class_refs,
    walk,
)

# Quantities that are varied in most programs that have them.
SWEPT: Final = frozenset(
    ("dt", "learning_rate", "lr", "step_size", "temperature", "time_step", "timestep")
)


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each static float among a function's arguments, and fields with well-known names."""
    for module in linting.program.modules:
        for function in module.functions:
            for parameter in function.parameters:
                if parameter.role == "static" and _is_float(parameter.type):
                    yield _found(
                        linting,
                        place_of(parameter, module.source, f"the parameter `{parameter.name}`"),
                    )
    fields = [
        (node, field)
        for module in linting.program.modules
        for node in module.classes
        for field in node.own_fields
        if field.role == "static" and field.name in SWEPT and _is_float(field.type)
    ]
    held = _held(linting) if fields else set[Ref]()
    for node, field in fields:
        place = place_of(field, node.source, f"the field `{field.name}`")
        yield _found(linting, place, node.ref.name if held & _kin(linting, node) else "")


def _held(linting: Linting) -> set[Ref]:
    """The classes of all static places."""
    program = linting.program
    static = [place.type for place in places(program) if place.role == "static"]
    static += [one.type for node in program.classes.values() for one in node.constants]
    static += _static_arguments(linting)
    found = {ref for type in static for ref in class_refs(type)}
    return found | {ref for ref, node in program.classes.items() if node.use == "static"}


def _kin(linting: Linting, node: Class) -> set[Ref]:
    """A class, its subclasses, and the classes for which it may stand."""
    program = linting.program
    above = (base.ref for _, base in bases_of(node, program.classes))
    return {node.ref, *descendants(program, node.ref), *above}


def _static_arguments(linting: Linting) -> Iterator[Type]:
    """The types that stand for a type parameter of which a class has static values."""
    roles = linting.facts.parameter_roles
    for place in places(linting.program):
        for part in walk(place.type):
            if isinstance(part, ClassType):
                names = linting.program.classes[part.ref].type_parameters
                for name, argument in zip(names, part.arguments, strict=False):
                    if "static" in roles[part.ref, name]:
                        yield argument


def _is_float(type: Type) -> bool:
    if isinstance(type, Union):
        members = [one for one in type.members if not isinstance(one, NoneType)]
        return len(members) == 1 and _is_float(members[0])
    return isinstance(type, Scalar) and type.name in ("float", "complex")


def _found(linting: Linting, place: Place, held: str = "") -> Diagnostic:
    write = "write `dynamic[float]`"
    if held:
        write = f"`{held}` is held statically: move the field to the class that holds it, "
        write += "as `dynamic[float]`"
    return linting.warn(
        Code.SWEPT_STATIC,
        place.source,
        place.role_span,
        f"{place.what} is a static float",
        label="each new value compiles anew",
        advice=f"{write}, unless it takes few values in a program's life",
    )
