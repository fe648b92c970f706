"""A float in the trace key that programs vary.

def step(plate: donated[Plate], dt: static[float])    ->    SWEPT_STATIC
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codegen.checked.places import Place, place_of
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.holders import Holders, find_holding
from codegen.linted.linting import Linting
from codegen.program.nodes import Class, Field
from codegen.program.types import Scalar, Type, optional
from codegen.schema.scope import listed

# Quantities that are varied in most programs that have them.
SWEPT: Final = frozenset(
    ("dt", "learning_rate", "lr", "step_size", "temperature", "time_step", "timestep")
)
_DYNAMIC: Final = "write `dynamic[float]`"


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
    if not fields:
        return
    holding = find_holding(linting)
    for node, field in fields:
        place = place_of(field, node.source, f"the field `{field.name}`")
        is_held = holding.is_held(node)
        write = _instead(node, field, holding.holders(node)) if is_held else _DYNAMIC
        yield _found(linting, place, write)


def _instead(node: Class, field: Field, holders: Holders) -> str:
    """What to write where the class itself cannot have a dynamic field."""
    name = node.ref.name
    if holders.functions:
        return (
            f"`{name}` goes into a static argument of `{holders.functions[0]}`: make it a parameter "
            f"there, `{field.name}: dynamic[float]`, or a field of a dynamic class that is an "
            "argument, too"
        )
    held, to = "is held statically", "the class that holds it"
    if not holders.classes:
        held, to = "is static", "a dynamic class beside it"
    elif not holders.is_direct:
        held, to = f"{held}, and so is a class that holds it", listed(holders.classes, "or")
    return f"`{name}` {held}: move the field to {to}, as `dynamic[float]`"


def _is_float(type: Type) -> bool:
    held = optional(type) or type
    return isinstance(held, Scalar) and held.name in ("float", "complex")


def _found(linting: Linting, place: Place, write: str = _DYNAMIC) -> Diagnostic:
    return linting.warn(
        Code.SWEPT_STATIC,
        place.source,
        place.role_span,
        f"{place.what} is a static float",
        label="each new value compiles anew",
        advice=f"{write}, unless it takes few values in a program's life",
    )
