"""Two classes with the same fields.

class Plate: u; t    class Rod: u; t    ->    EQUAL_CLASSES
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.linted.linting import Linting
from codegen.program.nodes import Class

# Two classes with a field or two in common are no surprise.
FIELDS_MIN: Final = 3


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each class that has the fields, roles and types of an earlier one, and no base."""
    seen: dict[tuple[object, ...], Class] = {}
    for node in linting.program.classes.values():
        if len(node.own_fields) < FIELDS_MIN or node.base is not None or node.mixins:
            continue
        shape = tuple((field.name, field.role, field.type) for field in node.own_fields)
        first = seen.setdefault((shape, node.type_parameters, node.dims), node)
        if first is not node:
            yield linting.warn(
                Code.EQUAL_CLASSES,
                node.source,
                node.span,
                f"the class `{node.ref.name}` has the same fields as `{first.ref.name}`",
                label="the same names, roles and types",
                advice="write one class, or a base for both, where they mean the same",
                related=(Related(first.source, first.span, "the other one"),),
            )
