"""Former names must identify one declaration each.

x: dynamic[f32]  # codegen: was[y]
y: dynamic[f32]  # codegen: was[x]        ->    AMBIGUOUS_RENAME
reserved("x")                             ->    WRONG_RESERVED: `x` is a field
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from codegen.check.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.program.graph import cycles
from codegen.program.nodes import Alias, Class, Enum, Module
from codegen.program.types import Ref, former_refs
from codegen.schema import nodes as declarations
from codegen.source import Span

_CYCLE = (
    "rename one of these declarations: data saved before the change cannot be distinguished from "
    "data saved after the change"
)
_TWICE = "keep the comment only on the declaration that now has the earlier values"
_ITSELF = "delete that name from the comment"


class _NamedDeclaration(Struct, frozen=True):
    """A declaration and its former names. Names of classes include their module."""

    name: str
    was: tuple[str, ...]
    span: Span
    is_own: bool = True  # mistakes of inherited ones are reported where they are declared
    # Whether its name is saved without those of its neighbours, as a member's is. Fields are saved
    # together, so the missing names show which version it was.
    is_saved_singly: bool = False


def check_renames(inspection: Inspection) -> None:
    """Check fields, members of enums, dimensions, and the declarations of modules."""
    for node in inspection.program.classes.values():
        _check_former_names(inspection, "fields", _fields(node))
        _check_reserved(inspection, node)
    for enum in inspection.program.enums.values():
        members = (
            _NamedDeclaration(m.name, m.was, m.span, is_saved_singly=True) for m in enum.members
        )
        _check_former_names(inspection, "members", members)
    modules = inspection.program.modules
    for module in modules:
        dims = (_NamedDeclaration(d.name, d.was, d.span) for d in module.dims)
        _check_former_names(inspection, "dimensions", dims)
    _check_former_names(
        inspection, "declarations", (one for module in modules for one in _declarations(module))
    )


def _fields(node: Class) -> Iterator[_NamedDeclaration]:
    for field in node.fields:
        yield _NamedDeclaration(field.name, field.was, field.span, is_own=field.owner == node.ref)


def _declarations(module: Module) -> Iterator[_NamedDeclaration]:
    declared: list[Alias | Enum | Class] = [*module.aliases, *module.enums, *module.classes]
    for one in declared:
        was = tuple(map(_format_path, former_refs(one.ref, one.was)))
        is_saved = not isinstance(one, declarations.Alias)
        name = _format_path(one.ref)
        yield _NamedDeclaration(name, was, one.span, is_saved_singly=is_saved)
    for function in module.functions:
        ref = Ref(module.name, function.name)
        was = tuple(map(_format_path, former_refs(ref, function.was)))
        yield _NamedDeclaration(_format_path(ref), was, function.span)


def _format_path(ref: Ref) -> str:
    return f"{ref.module}:{ref.name}"


def _check_former_names(
    inspection: Inspection, what: str, declarations: Iterable[_NamedDeclaration]
) -> None:
    named = list(declarations)
    if not any(one.was for one in named):
        return
    claimed: dict[str, _NamedDeclaration] = {}
    for one in named:
        for name in one.was:
            first = claimed.setdefault(name, one)
            if first is not one:
                message = (
                    f"the {what} `{first.name}` and `{one.name}` both have the former name `{name}`"
                )
                _report(inspection, one, first, message, _TWICE, _former_name_label(name))
    by_name = {one.name: one for one in named}
    edges = {name: [claimed[name].name] if name in claimed else [] for name in by_name}
    circles = cycles(edges)
    for circle in circles:
        _report_cycle(inspection, what, [by_name[name] for name in circle])
    circling = {name for circle in circles for name in circle}
    for name, one in claimed.items():
        other = by_name.get(name)
        if other is None or name in circling:
            continue
        if one.is_saved_singly and other.is_saved_singly:
            message = f"`{one.name}` has the former name `{name}`, but there is a new `{name}`"
            advice = (
                f"saved data with the name `{name}` could belong to either declaration. If you have "
                f"such data, rename the new `{name}`. If not, delete this former name from the "
                "comment"
            )
            _report(inspection, one, other, message, advice, _former_name_label(name))


def _former_name_label(name: str) -> str:
    return f"`{name}` is a former name of this"


def _report_cycle(inspection: Inspection, what: str, cycle: list[_NamedDeclaration]) -> None:
    place = next((one for one in reversed(cycle) if one.is_own), cycle[-1])
    if len(cycle) == 1:
        message = f"`{place.name}` has its own name as a former name"
        _report(inspection, place, place, message, _ITSELF)
        return
    *others, last = (f"`{one.name}`" for one in cycle)
    message = f"the former names of the {what} {', '.join(others)} and {last} form a cycle"
    other = next(one for one in cycle if one is not place)
    _report(inspection, place, other, message, _CYCLE)


def _report(
    inspection: Inspection,
    one: _NamedDeclaration,
    other: _NamedDeclaration,
    message: str,
    advice: str,
    label: str = "ambiguous former name",
) -> None:
    if not (one.is_own or other.is_own):
        return
    place, rest = (one, other) if one.is_own else (other, one)
    is_shown = rest.is_own and rest is not place
    related = Related(rest.span, "the other declaration") if is_shown else None
    inspection.add(
        Code.AMBIGUOUS_RENAME,
        place.span,
        message,
        label=label,
        advice=advice,
        related=(related,) if related else (),
    )


def _check_reserved(inspection: Inspection, node: Class) -> None:
    """Report fields that have a reserved name, or had it before."""
    own = {field.name for field in node.own_fields}
    base = inspection.program.classes.get(node.base.ref) if node.base is not None else None
    inherited = len(base.reserved) if base is not None else 0
    for i, reserved in enumerate(node.reserved):
        for field in node.fields:
            is_new = i >= inherited or field.name in own
            if not is_new or reserved.name not in (field.name, *field.was):
                continue
            has_that_name = field.name == reserved.name
            reason = (
                "is also a field"
                if has_that_name
                else f"is also a former name of the field `{field.name}`"
            )
            inspection.add(
                Code.WRONG_RESERVED,
                field.span if field.name in own else reserved.span,
                f"`{reserved.name}` of `{node.ref.name}` is reserved, but {reason}",
                label="reserved name" if field.name in own else "a field uses this name",
                advice="give the field a new name: data saved under the reserved name means "
                "something else"
                if has_that_name
                else "remove one of the two: the former name of a field cannot be reserved",
            )
