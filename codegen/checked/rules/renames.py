"""What fields say that they were called before tells each of them from the others.

x: dynamic[f32]  # codegen: was[y]
y: dynamic[f32]  # codegen: was[x]        ->    AMBIGUOUS_RENAME
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.program.nodes import Class, Field

_SWAPPED = (
    "what was saved before the change cannot be told from what is saved after it: give one of them "
    "a name that is new"
)
_TWICE = "leave the comment at the field that has the values of the earlier one"


def check_renames(inspection: Inspection) -> None:
    """Judge the fields of every class."""
    for node in inspection.program.classes.values():
        if any(field.was for field in node.fields):
            _check(inspection, node)


def _check(inspection: Inspection, node: Class) -> None:
    fields = {field.name: field for field in node.fields}
    claimed: dict[str, Field] = {}
    for field in node.fields:
        for name in field.was:
            first = claimed.setdefault(name, field)
            other = fields.get(name)
            if first is not field:
                message = f"the fields `{first.name}` and `{field.name}` were both `{name}`"
                _report(inspection, node, field, first, message, _TWICE)
            elif other is not None and field.name in other.was and field.name in claimed:
                message = f"the fields `{other.name}` and `{field.name}` were each other"
                _report(inspection, node, field, other, message, _SWAPPED)


def _report(
    inspection: Inspection, node: Class, field: Field, other: Field, message: str, advice: str
) -> None:
    # What is inherited is said where it is declared.
    if node.ref not in (field.owner, other.owner):
        return
    place, rest = (field, other) if field.owner == node.ref else (other, field)
    related = Related(node.source, rest.span, "the other") if rest.owner == node.ref else None
    inspection.add(
        Code.AMBIGUOUS_RENAME,
        node.source,
        place.span,
        f"{message}, as their comments say",
        label="which of them is it?",
        advice=advice,
        related=(related,) if related else (),
    )
