"""`donated` around an object that has no donated field.

grid: donated[Particles]    ->    DONATES_NOTHING: no field of `Particles` is donated
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.facts import descendants, may_donate
from codegen.checked.places import Place, places
from codegen.diagnostics import Code, Diagnostic, Edit, Fix
from codegen.linted.linting import Linting
from codegen.program.types import class_refs


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated place of which no buffer can be consumed."""
    donating = {
        ref
        for ref in linting.program.classes
        if {ref, *descendants(linting.program, ref)} & linting.facts.donating
    }
    for place in places(linting.program):
        if place.role == "donated" and not may_donate(place.type, donating):
            yield _found(linting, place)


def _found(linting: Linting, place: Place) -> Diagnostic:
    names = " or ".join(f"`{ref.name}`" for ref in sorted({*class_refs(place.type)}))
    dynamic = linting.word(place.source.module, "role", "dynamic")
    fix = None
    if dynamic is not None:
        fix = Fix(f"write `{dynamic}`", (Edit(place.role_span, dynamic),))
    return linting.warn(
        Code.DONATES_NOTHING,
        place.source,
        place.role_span,
        f"{place.what} is donated, but no field of {names} is",
        label="consumes nothing",
        advice="write `dynamic[...]`, or make the fields `donated` whose buffers may be consumed",
        fix=fix,
    )
