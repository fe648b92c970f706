"""Compare dimensions, enums and functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CHECKPOINT,
    RENAMED,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
    is_held,
    names_now,
    with_signature_renames,
)
from codegen.diff.values import is_same_default, is_same_value
from codegen.program.nodes import Class, Enum, Function, Member, Module, Parameter
from codegen.program.types import Type
from codegen.runtime.evolution import name_pairs, renamed_dims
from codegen.schema import nodes as declarations


def learn_dimensions(
    comparison: Comparison, before: Module, after: Module, pairs: Iterable[tuple[object, object]]
) -> None:
    """Find the new names of a module's dimensions; `pairs` are the declarations of both versions.

    u: donated[f32[nx, ny]]    ->    u: donated[f32[n_x, ny]]    # DIMENSION_RENAMED: nx, now n_x

    A name that both versions use was not renamed. A name that is no longer used may correspond to a
    newly used name. A comment can declare that, or else the first position where one replaces the
    other decides.
    """
    used, now = _used(before), _used(after)
    former = {old: dim.name for dim in after.dims if dim.name in now for old in dim.was}
    met: Iterable[tuple[str, str]] = ()
    if used.keys() - now.keys() and now.keys() - used.keys():
        texts = [text for one, other in pairs for text in _texts(one, other)]
        met = [both for pair in texts for both in name_pairs(*pair)]
    renamed = renamed_dims(used, now, former, met)
    comparison.dims.setdefault(before.name, {}).update(renamed)
    for old, new in renamed.items():
        if used[old] is not None:
            earlier = next((dim.span for dim in before.dims if dim.name == old), None)
            # A class parameter may have no `Dim()` declaration.
            node = now[new]
            otherwise = node.span if node is not None else after.source.at(0, 0)
            span = next((dim.span for dim in after.dims if dim.name == new), otherwise)
            comparison.add(_renamed(old, new), span, earlier)


def _used(module: Module) -> dict[str, Class | None]:
    """Return the dimensions of a module, each with the first class that uses it, if any."""
    names: dict[str, Class | None] = {}
    for node in module.classes:
        own = (name for type in _types(node).values() for name in _names(type))
        for name in (*node.dims, *own):
            names.setdefault(name, node)
    methods = [method for node in module.classes for method in node.methods]
    for function in (*module.functions, *methods):
        for name in (name for type in _types(function).values() for name in _names(type)):
            names.setdefault(name)
    return names


def _names(type: Type) -> list[str]:
    own = [name.removeprefix("*") for dim in type.own_dims for name in dim.names]
    return [*own, *(name for part in type.children for name in _names(part))]


def _texts(old: object, new: object) -> Iterator[tuple[str, str]]:
    """Yield the types at the same places of two declarations, as texts."""
    if isinstance(old, Class) and isinstance(new, Class):
        yield ", ".join(old.dims), ", ".join(new.dims)
    now = _types(new)
    for place, type in _types(old).items():
        if place in now:
            yield str(type), str(now[place])
    if isinstance(old, Class) and isinstance(new, Class):
        methods = {method.name: method for method in new.methods}
        for method in old.methods:
            yield from _texts(method, methods.get(method.name))


def _types(node: object) -> dict[str, Type]:
    """Return the types in a declaration, by place: a field, a parameter, "return", "class base"."""
    match node:
        case Class():
            own = {field.name: field.type for field in node.own_fields}
            return own if node.base is None else {"class base": node.base} | own
        case declarations.Function():
            return {one.name: one.type for one in node.parameters} | {"return": node.returns}
        case _:
            return {}


def _renamed(old: str, new: str) -> Change:
    return Change(
        Code.DIMENSION_RENAMED,
        f"the dimension `{old}` was renamed to `{new}`",
        f'keep the name, or write `{new}` where callers pass `{old}=` to `abstract` or read `"{old}"` '
        "from `axes`",
    )


def compare_enum(comparison: Comparison, old: Enum, new: Enum) -> None:
    """Compare kinds and members; Python pickles an enum member by its value.

    EXPLICIT = "explicit"    ->    gone: ENUM_MEMBER_REMOVED, `= "e"`: ENUM_CHANGED
    """
    if old.kind != new.kind:
        change = Change(
            Code.ENUM_CHANGED,
            f"`{new.ref.name}` was `{old.kind}` and is now `{new.kind}`",
            f"keep `{old.kind}`, or declare a new enum",
        )
        comparison.add(change, new.span, old.span)
    saved = (CHECKPOINT,) if is_held(comparison.old, old.ref) else ()
    members = {one.name: one for one in new.members}
    was = {one.name: one.was for one in new.members}
    names = names_now(was, {one.name for one in old.members})
    for member in old.members:
        other = members.get(names.get(member.name, ""))
        if other is None or other.name != member.name:
            called = f"`{old.ref.name}.{member.name}`"
            change = _member_lost(called, other, saved)
            comparison.add(change, new.span if other is None else other.span, member.span)
        elif not is_same_value(comparison, member.value, other.value):
            change = Change(
                Code.ENUM_CHANGED,
                f"`{new.ref.name}.{other.name}` has the value {_value(other)} instead of "
                f"{_value(member)}",
                f"keep the value {_value(member)}, or add a member with the new value",
            )
            comparison.add(change, other.span, member.span)


def _value(member: Member) -> str:
    return f"`{'auto()' if member.value is None else str(member.value)}`"


def _member_lost(called: str, new: Member | None, saved: tuple[str, ...]) -> Change:
    advice = "keep the member: an extra one costs nothing"
    if new is None:
        message = f"{called} was removed"
        return Change(Code.ENUM_MEMBER_REMOVED, message, advice, (SOURCE, TREEDEF, *saved))
    message = f"{called} was renamed to `{new.name}`"
    return Change(Code.ENUM_MEMBER_REMOVED, message, f"{advice}; {RENAMED}")


def compare_function(comparison: Comparison, old: Function, new: Function, module: str) -> None:
    """Compare the signatures of a function, and which arguments it consumes.

    def step(plate, dt)    ->    def step(plate, dt, n): FUNCTION_CHANGED
    """
    comparison = comparison.within(comparison.dims.get(module, {}), {})
    for difference in signature_changes(comparison, old, new):
        change = Change(
            Code.FUNCTION_CHANGED,
            f"the function `{new.name}` {difference}",
            "add new parameters at the end, with a default. For another meaning, declare a new "
            "function",
        )
        comparison.add(change, new.span, old.span)
    parameters = {one.name: one for one in old.parameters}
    for parameter in new.parameters:
        known = parameters.get(parameter.name)
        if known is not None and known.role == "dynamic" and parameter.role == "donated":
            change = Change(
                Code.DONATION_ADDED,
                f"`{new.name}` now consumes `{parameter.name}`",
                f"callers that use `{parameter.name}` after the call must call "
                f"`{new.name}.keep(...)`",
                label=f"using `{parameter.name}` after a call is now an error",
            )
            comparison.add(change, parameter.role_span, known.role_span)


def signature_changes(comparison: Comparison, old: Function, new: Function) -> Iterator[str]:
    """Describe why a signature does not accept every old call. Example: "lost `n`"."""
    comparison = with_signature_renames(comparison, old, new)
    if old.kind != new.kind:
        yield f"is now a {new.kind} instead of a {old.kind}"
    if not comparison.gives(new.returns, old.returns):
        yield f"returns {comparison.texts(old.returns, new.returns)}"
    old_by_name = {one.name: one for one in old.parameters}
    new_by_name = {one.name: one for one in new.parameters}
    for name, parameter in old_by_name.items():
        if name not in new_by_name:
            yield f"no longer has the parameter `{name}`"
        else:
            yield from _parameter(comparison, parameter, new_by_name[name])
    for name, parameter in new_by_name.items():
        if name not in old_by_name and parameter.default is None:
            yield f"now requires `{name}`"
    common = [p.name for p in old.parameters if p.name in new_by_name and not p.keyword_only]
    now = [p.name for p in new.parameters if not p.keyword_only]
    if now[: len(common)] != common and set(common) <= set(now):
        yield f"takes its parameters in the order `{', '.join(now)}` instead of `{', '.join(common)}`"


def _parameter(comparison: Comparison, old: Parameter, new: Parameter) -> Iterator[str]:
    is_retyped = not comparison.takes(new.type, old.type)
    if is_retyped:
        yield f"declares `{old.name}` as {comparison.texts(old.type, new.type)}"
    if any((old.role == role) != (new.role == role) for role in ("static", "ref")):
        yield f"declares `{old.name}` as {new.role} instead of {old.role}"
    if old.default is None:
        pass
    elif new.default is None:
        yield f"now requires `{old.name}`, which had a default"
    elif not is_same_default(comparison, old, new, retyped=is_retyped):
        before, after = str(old.default), str(new.default)
        if before == after:
            yield f"converts the default `{after}` of `{old.name}` to another type"
        else:
            yield f"has the default `{after}` instead of `{before}` for `{old.name}`"
    if new.keyword_only and not old.keyword_only:
        yield f"now takes `{old.name}` only by keyword"
