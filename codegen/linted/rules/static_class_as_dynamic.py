"""A static class in a dynamic place.

grid: dynamic[Grid]    ->    STATIC_CLASS_AS_DYNAMIC: every field of `Grid` is static
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.places import Place, places
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Related
from codegen.linted.linting import Linting
from codegen.program.types import ClassType


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dynamic place of a class that holds nothing to trace."""
    for place in places(linting.program):
        type = place.type
        if (
            place.role == "dynamic"
            and isinstance(type, ClassType)
            and linting.facts.is_static(type.ref)
        ):
            yield _found(linting, place, type)


def _found(linting: Linting, place: Place, type: ClassType) -> Diagnostic:
    node = linting.program.classes[type.ref]
    static = linting.word(place.source.module, "role", "static")
    # A field's role is seen by programs and checkpoints; an argument's is the function's own.
    is_safe = static is not None and place.what.startswith("the parameter")
    return linting.warn(
        Code.STATIC_CLASS_AS_DYNAMIC,
        place.source,
        place.role_span,
        f"{place.what} is dynamic, but every field of `{type.ref.name}` is static",
        label="nothing to trace",
        advice=f"write `static[{type.ref.name}]`",
        related=(Related(node.source, node.span, "a static class"),),
        fix=Fix(f"write `{static}`", (Edit(place.role_span, static),))
        if static is not None and is_safe
        else None,
    )
