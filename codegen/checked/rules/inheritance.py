"""A subclass may narrow what it inherits, and change nothing else about it.

class Base: u: donated[f32]
class Sub(Base): u: dynamic[f32]    ->    ROLE_CHANGED
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.checked.rules.narrow import narrower
from codegen.diagnostics import Code, Related
from codegen.program.nodes import Class, Field
from codegen.program.rewrite import substituted
from codegen.program.types import Anything, Type
from codegen.source import Span


def check_inheritance(inspection: Inspection) -> None:
    """Judge every field that is declared anew, and every name that a base uses otherwise."""
    for node in inspection.program.classes.values():
        base = inspection.program.classes[node.base.ref] if node.base else None
        if base is None:
            continue
        inherited = {f.name: f for f in base.fields}
        for field in node.own_fields:
            if field.name in inherited:
                _check_redeclared(inspection, node, base, field, inherited[field.name])
        _check_clashes(inspection, node, base)


def _check_redeclared(
    inspection: Inspection, node: Class, base: Class, field: Field, old: Field
) -> None:
    home = inspection.program.classes[old.owner]
    if field.role != old.role:
        inspection.add(
            Code.ROLE_CHANGED,
            node.source,
            field.role_span,
            f"`{node.ref.name}` makes the field `{field.name}` {field.role}",
            label=f"`{home.ref.name}` declares it {old.role}",
            advice=f"write `{old.role}[...]`, or give the field another name",
            related=(Related(home.source, old.role_span, "the role it inherits"),),
        )
    elif not narrower(inspection, field.type, _in_terms_of(node, base, old.type)):
        inspection.add(
            Code.TYPE_WIDENED,
            node.source,
            field.type.span,
            f"`{node.ref.name}` gives the field `{field.name}` a type that `{home.ref.name}` does "
            "not allow",
            label="not a narrower type",
            advice="a subclass stands wherever its base does, so its fields may only be narrower",
            related=(Related(home.source, old.type.span, "the type it inherits"),),
        )


def _in_terms_of(node: Class, base: Class, inherited: Type) -> Type:
    """A base's type with what the subclass says about the base's parameters."""
    assert node.base is not None
    dims = dict(zip(base.dims, node.base.dims, strict=False))
    # Of what it does not say, everything is narrower.
    arguments: dict[str, Type] = {name: Anything() for name in base.type_parameters}
    arguments |= zip(base.type_parameters, node.base.arguments, strict=False)
    return substituted(inherited, dims, arguments)


def _check_clashes(inspection: Inspection, node: Class, base: Class) -> None:
    """A field must not hide an inherited method, nor a method an inherited field."""
    classes = inspection.program.classes
    others: dict[str, tuple[Class, Span]] = {}
    current: Class | None = base
    while current is not None:
        for member in _members(current):
            others.setdefault(member[0], (current, member[1]))
        current = classes[current.base.ref] if current.base else None
    fields = {f.name: (classes[f.owner], f.span) for f in base.fields}
    own_fields = [(f.name, f.span) for f in node.own_fields]
    for names, taken in ((own_fields, others), (_members(node), fields)):
        for name, span in names:
            if name not in taken:
                continue
            home, first = taken[name]
            inspection.add(
                Code.DUPLICATE_NAME,
                node.source,
                span,
                f"`{node.ref.name}` declares `{name}`, which `{home.ref.name}` uses otherwise",
                label="declared again here, as something else",
                advice="rename one of them",
                related=(Related(home.source, first, "first declared here"),),
            )


def _members(node: Class) -> list[tuple[str, Span]]:
    methods = [(method.name, method.span) for method in node.methods]
    return [*methods, *((constant.name, constant.span) for constant in node.constants)]
