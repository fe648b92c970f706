"""A subclass may narrow what it inherits, and change nothing else about it.

    class Base: u: donated[f32]
    class Sub(Base): u: dynamic[f32]    ->    ROLE_CHANGED
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Related
from codegen.program.nodes import Class, Field
from codegen.program.types import (
    AnyDims,
    Anything,
    Array,
    ClassType,
    FixedTuple,
    Literals,
    Mapping,
    Ref,
    Scalar,
    Sequence,
    Type,
    Union,
)


def check_inheritance(inspection: Inspection) -> None:
    """Judge every field that is declared anew, and every name that a base uses otherwise."""
    for node in inspection.program.classes.values():
        base = inspection.program.classes[node.base.ref] if node.base else None
        if base is None:
            continue
        inherited = {f.name: f for f in base.fields}
        for field in node.own_fields:
            if field.name in inherited:
                _check_redeclared(inspection, node, field, inherited[field.name])
        _check_clashes(inspection, node, base)


def _check_redeclared(inspection: Inspection, node: Class, field: Field, old: Field) -> None:
    home = inspection.program.classes[old.owner]
    if field.role != old.role:
        inspection.add(
            Code.ROLE_CHANGED,
            node.source,
            field.role_span,
            f"`{node.ref.name}` makes the field `{field.name}` {field.role}",
            f"`{home.ref.name}` declares it {old.role}",
            f"write `{old.role}[...]`, or give the field another name",
            (Related(home.source, old.role_span, "the role it inherits"),),
        )
    elif not narrower(inspection, field.type, old.type):
        inspection.add(
            Code.TYPE_WIDENED,
            node.source,
            field.type.span,
            f"`{node.ref.name}` gives the field `{field.name}` a type that `{home.ref.name}` does "
            "not allow",
            "not a narrower type",
            "a subclass stands wherever its base does, so its fields may only be narrower",
            (Related(home.source, old.type.span, "the type it inherits"),),
        )


def _check_clashes(inspection: Inspection, node: Class, base: Class) -> None:
    """A field must not hide an inherited method, nor a method an inherited field."""
    ancestors: list[Class] = []
    current: Class | None = base
    while current is not None:
        ancestors.append(current)
        current = inspection.program.classes[current.base.ref] if current.base else None
    methods = {m.name: (a, m.span) for a in reversed(ancestors) for m in a.methods}
    methods |= {c.name: (a, c.span) for a in reversed(ancestors) for c in a.constants}
    fields = {f.name: (inspection.program.classes[f.owner], f.span) for f in base.fields}
    own_fields = [(f.name, f.span) for f in node.own_fields]
    own_members = [(m.name, m.span) for m in (*node.methods, *node.constants)]
    for names, others in ((own_fields, methods), (own_members, fields)):
        for name, span in names:
            if name in others:
                home, first = others[name]
                inspection.add(
                    Code.DUPLICATE_NAME,
                    node.source,
                    span,
                    f"`{node.ref.name}` declares `{name}`, which `{home.ref.name}` uses otherwise",
                    "declared again here, as something else",
                    "rename one of them",
                    (Related(home.source, first, "first declared here"),),
                )


def narrower(inspection: Inspection, new: Type, old: Type) -> bool:
    """Say whether every value of `new` is one of `old`."""
    if new == old or isinstance(old, Anything):
        return True
    match new, old:
        case Union(), _:
            return all(narrower(inspection, member, old) for member in new.members)
        case _, Union():
            return any(narrower(inspection, new, member) for member in old.members)
        case ClassType(), ClassType():
            same_dims = not old.dims or not new.dims or new.ref != old.ref or new.dims == old.dims
            return same_dims and _derives(inspection, new.ref, old.ref)
        case Array(), Array():
            same_dtype = new.dtype == old.dtype or _is_of_kind(new.dtype, old.dtype)
            return same_dtype and (
                new.shape == old.shape or any(isinstance(d, AnyDims) for d in old.shape)
            )
        case Literals(), Literals():
            return all(any(v is o or v == o for o in old.values) for v in new.values)
        case Literals(), Scalar():
            return all(v.__class__.__name__ == old.name for v in new.values)
        case Sequence(), Sequence():
            same = new.container == old.container
            return same and narrower(inspection, new.element, old.element)
        case FixedTuple(), Sequence(container="tuple"):
            return all(narrower(inspection, e, old.element) for e in new.elements)
        case FixedTuple(), FixedTuple():
            return len(new.elements) == len(old.elements) and all(
                narrower(inspection, n, o) for n, o in zip(new.elements, old.elements, strict=True)
            )
        case Mapping(), Mapping():
            same = new.container == old.container and new.key == old.key
            return same and narrower(inspection, new.value, old.value)
        case _:
            return False


def _derives(inspection: Inspection, ref: Ref, ancestor: Ref) -> bool:
    current: Ref | None = ref
    while current is not None:
        if current == ancestor:
            return True
        base = inspection.program.classes[current].base
        current = base.ref if base else None
    return False


_PREFIXES = {
    "Float": ("float", "bfloat"),
    "Int": ("int",),
    "UInt": ("uint",),
    "Bool": ("bool",),
    "Complex": ("complex",),
    "Inexact": ("float", "bfloat", "complex", "Float", "Complex"),
    "Real": ("float", "bfloat", "int", "uint", "Float", "Int", "UInt"),
    "Num": ("float", "bfloat", "int", "uint", "complex", "Float", "Int", "UInt", "Complex", "Inexact", "Real"),
    "Shaped": ("",),
}  # fmt: skip


def _is_of_kind(dtype: str, kind: str) -> bool:
    return kind in _PREFIXES and dtype.startswith(_PREFIXES[kind])
