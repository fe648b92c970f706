"""A subclass may narrow the type of an inherited field. It must not change anything else about it.

class Base: u: donated[f32]
class Sub(Base): u: dynamic[f32]    ->    ROLE_CHANGED
"""

from __future__ import annotations

from codegen.check.narrower import is_narrower
from codegen.check.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.program.nodes import Class, Field
from codegen.program.references import refs_in_types
from codegen.program.substitution import inherited_fields
from codegen.program.types import Mapping, Sequence, Type, display_names
from codegen.schema.scope import a_or_an
from codegen.source import Span


def check_inheritance(inspection: Inspection) -> None:
    """Check every redeclared field, and every name that a base uses for something else."""
    for node in inspection.program.classes.values():
        base = inspection.program.classes[node.base.ref] if node.base else None
        if base is None:
            continue
        declared = {f.name: f for f in base.fields}
        inherited = {f.name: f.type for f in inherited_fields(node.base, base)}
        for field in node.own_fields:
            if field.name in inherited:
                old, type = declared[field.name], inherited[field.name]
                _check_redeclared(inspection, node, field, old, type)
        _check_clashes(inspection, node, base)


def _check_redeclared(
    inspection: Inspection, node: Class, field: Field, old: Field, inherited: Type
) -> None:
    """Check a field that a base also has; its type there may have other parameters."""
    home = inspection.program.classes[old.owner]
    here, there = display_names(node.ref, home.ref)
    if field.role != old.role:
        inspection.add(
            Code.ROLE_CHANGED,
            field.role_span,
            f"`{here}` changes the role of the field `{field.name}` to {field.role}",
            label=f"`{there}` declares it {old.role}",
            advice=f"write `{old.role}[...]`, or give the field another name",
            related=(Related(old.role_span, "the inherited role"),),
        )
    elif not is_narrower(field.type, inherited, inspection.program):
        inspection.add(
            Code.TYPE_WIDENED,
            field.type.span,
            f"`{here}` gives the field `{field.name}` a type that `{there}` does not allow",
            label=_narrower_label(field.type, old.type),
            advice=f"write `{inherited}`, or a narrower type: {a_or_an(here)} must be "
            f"usable wherever {a_or_an(there)} is" + _container_advice(old.type),
            related=(Related(old.type.span, "the inherited type"),),
        )


def _narrower_label(new: Type, old: Type) -> str:
    """Return the label, with the modules of classes that have the same name."""
    refs = sorted(refs_in_types(new, old))
    alike = [
        f"`{name}`"
        for name, ref in zip(display_names(*refs), refs, strict=True)
        if name != ref.name
    ]
    return "not a narrower type" + (f": {' is not '.join(alike)}" if alike else "")


def _container_advice(old: Type) -> str:
    kind = old.container if isinstance(old, Sequence | Mapping) else ""
    # Code that has the object as its base may put in anything that the base allows.
    if kind not in ("list", "dict"):
        return ""
    rest = ": use a tuple" if kind == "list" else ""
    return f". A {kind} can be changed in place, so the type of its content cannot change{rest}"


def _check_clashes(inspection: Inspection, node: Class, base: Class) -> None:
    """Check that a name keeps its category: a field, a method, a property or a constant."""
    classes = inspection.program.classes
    taken: dict[str, tuple[str, Class, Span]] = {}
    for home in (base, *map(classes.__getitem__, inspection.program.graph.bases(base.ref))):
        for name, kind, span in _members(home):
            taken.setdefault(name, (kind, home, span))
    for name, kind, span in _members(node):
        before, home, first = taken.get(name, (kind, node, span))
        if kind != before:
            here, there = display_names(node.ref, home.ref)
            inspection.add(
                Code.DUPLICATE_NAME,
                span,
                f"`{name}` is a {kind} in `{here}`, but a {before} in its base class `{there}`",
                label=f"declared again here, as a {kind}",
                advice=f"declare `{name}` as a {before}, or use another name",
                related=(Related(first, f"first declared here, as a {before}"),),
            )


def _members(node: Class) -> list[tuple[str, str, Span]]:
    """Return the names that a class declares, with the category and position of each."""
    return [
        *((f.name, "field", f.span) for f in node.own_fields),
        *((m.name, m.kind, m.span) for m in node.methods),
        *((constant.name, "constant", constant.span) for constant in node.constants),
    ]
