"""A float in the trace key that programs vary.

def step(plate: donated[Plate], dt: static[float])    ->    SWEPT_STATIC
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codegen.checked.places import Place, place_of
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.types import NoneType, Scalar, Type, Union

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
        for node in module.classes:
            for field in node.own_fields:
                if field.role == "static" and field.name in SWEPT and _is_float(field.type):
                    yield _found(linting, place_of(field, node.source, f"the field `{field.name}`"))


def _is_float(type: Type) -> bool:
    if isinstance(type, Union):
        members = [one for one in type.members if not isinstance(one, NoneType)]
        return len(members) == 1 and _is_float(members[0])
    return isinstance(type, Scalar) and type.name in ("float", "complex")


def _found(linting: Linting, place: Place) -> Diagnostic:
    return linting.warn(
        Code.SWEPT_STATIC,
        place.source,
        place.role_span,
        f"{place.what} is a static float",
        label="each new value compiles anew",
        advice="write `dynamic[float]`, unless it takes few values in a program's life",
    )
