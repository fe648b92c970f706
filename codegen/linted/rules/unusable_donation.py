"""A donation that no result can use.

def energy(plate: donated[Plate]) -> f32    ->    UNUSABLE_DONATION
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.linted.leaves import leaves
from codegen.linted.linting import Linting
from codegen.program.nodes import Function, Module, Parameter
from codegen.program.show import type_text


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated argument of which no buffer fits any array of the result."""
    for module in linting.program.modules:
        for function in module.functions:
            for parameter in function.parameters:
                if parameter.role == "donated" and _is_unusable(linting, function, parameter):
                    yield _found(linting, module, function, parameter)


def _is_unusable(linting: Linting, function: Function, parameter: Parameter) -> bool:
    donated = leaves(linting.program, parameter.type, only_donated=True)
    result = leaves(linting.program, function.returns, only_donated=False)
    if donated.is_open or result.is_open or not donated.known:
        return False
    return not any(one.may_replace(other) for one in result.known for other in donated.known)


def _found(
    linting: Linting, module: Module, function: Function, parameter: Parameter
) -> Diagnostic:
    type = type_text(parameter.type)
    return linting.warn(
        Code.UNUSABLE_DONATION,
        module.source,
        parameter.role_span,
        f"`{function.name}` consumes `{parameter.name}`, but its result has no array like those",
        label="no buffer can be used again",
        advice=f"write `dynamic[{type}]`, or return the new `{type}`",
        related=(
            Related(module.source, function.returns.span, "no array of the same dtype and rank"),
        ),
    )
