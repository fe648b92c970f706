"""A function that makes a new object of the one that it takes, and leaves the old one's buffers alone.

def step(plate: dynamic[Plate]) -> Plate    ->    FORGOTTEN_DONATION
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.types import ClassType, class_refs


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dynamic argument of a class with donated fields, which the function returns too."""
    for module in linting.program.modules:
        for function in module.functions:
            returned = {*class_refs(function.returns)} & linting.facts.donating
            for parameter in function.parameters:
                if parameter.role == "donated":
                    returned -= {*class_refs(parameter.type)}
            for parameter in function.parameters:
                type = parameter.type
                if (
                    parameter.role != "dynamic"
                    or not isinstance(type, ClassType)
                    or type.ref not in returned
                ):
                    continue
                yield linting.warn(
                    Code.FORGOTTEN_DONATION,
                    module.source,
                    parameter.role_span,
                    f"`{function.name}` takes and returns `{type.ref.name}`, and consumes nothing",
                    label="old and new are in memory together",
                    advice="did you mean `donated`? It consumes the fields that are `donated` in "
                    f"`{type.ref.name}`",
                )
