"""A donated field of an object that functions take, and of which none consumes the field.

u: donated[f32[nx]]    with    def energy(plate: dynamic[Plate])    alone    ->    NEVER_DONATED
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.facts import may_donate
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated field that functions reach, none of them by a path that is donated."""
    reach = linting.reach
    if reach.anything_is_donated:
        return
    for ref, node in linting.program.classes.items():
        for field in node.own_fields:
            place = (ref, field.name)
            if field.role != "donated" or place not in reach.reached - reach.consumed:
                continue
            if may_donate(field.type, linting.facts.donating):
                yield linting.warn(
                    Code.NEVER_DONATED,
                    node.source,
                    field.role_span,
                    f"the field `{field.name}` is donated, but no function consumes it",
                    label="every function that takes it leaves it alone",
                    advice=f"let a function take its `{ref.name}` as `donated`, along the whole "
                    "path, or write `dynamic[...]`",
                )
