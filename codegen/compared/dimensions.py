"""Which dimensions of a module are called otherwise in its new version.

u: donated[f32[nx, ny]]    ->    u: donated[f32[n_x, ny]]    # DIMENSION_RENAMED: nx, now n_x

A name that both versions use is itself. One that is not used any more may have become one that was
not used before: where a comment says so, or at the first place where the one stands for the other.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from codegen.compared.kinds import SOURCE
from codegen.compared.pairs import in_signatures, in_types
from codegen.compared.versions import Comparison, names_now
from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.nodes import Class, Module
from codegen.program.types import Dim, Type, inside
from codegen.schema import nodes as declarations
from codegen.source import Span


def learn_dimensions(
    comparison: Comparison, before: Module, after: Module, pairs: Iterable[tuple[object, object]]
) -> None:
    """Find the new names of a module's dimensions; `pairs` are the declarations of both versions."""
    used, now = _used(before), _used(after)
    gone = {name for name in used if name not in now}
    fresh = {name for name in now if name not in used}
    found = comparison.dims.setdefault(before.name, {})
    found |= _said(after, used, now)
    for old, new in _met(pairs) if gone and fresh else ():
        if old in gone - {*found} and new in fresh - {*found.values()}:
            found[old] = new
    for old, new in found.items():
        if used[old] is not None:
            _renamed(comparison, before, after, (old, new), now[new])


def _used(module: Module) -> dict[str, Class | None]:
    """The dimensions of a module, each with the first class that has it, if one does."""
    found: dict[str, Class | None] = {}
    for node in module.classes:
        own = [name for field in node.own_fields for name in _names(field.type)]
        base = _names(node.base) if node.base is not None else []
        for name in (*node.dims, *base, *own):
            found.setdefault(name, node)
    methods = [method for node in module.classes for method in node.methods]
    for function in (*module.functions, *methods):
        for type in (function.returns, *(one.type for one in function.parameters)):
            for name in _names(type):
                found.setdefault(name)
    return found


def _names(type: Type) -> list[str]:
    own = [name.removeprefix("*") for dim in types.dims_in(type) for name in types.names_in(dim)]
    return [*own, *(name for part in inside(type) for name in _names(part))]


def _said(after: Module, used: Container[str], now: Container[str]) -> dict[str, str]:
    """What comments say."""
    was = {dim.name: dim.was for dim in after.dims if dim.name in now}
    found = {old: new for old, new in names_now(was, used).items() if old != new}
    while kept := [old for old in found if old in now and old not in found.values()]:
        for old in kept:
            del found[old]
    return found


def _met(pairs: Iterable[tuple[object, object]]) -> Iterator[tuple[str, str]]:
    """The names that stand in one place."""
    for one, other in pairs:
        if isinstance(one, Class) and isinstance(other, Class):
            yield from zip(one.dims, other.dims, strict=False)
        for old, new in _types_met(one, other):
            if len(types.dims_in(old)) == len(types.dims_in(new)):
                for dims in zip(types.dims_in(old), types.dims_in(new), strict=True):
                    yield from _met_in_dims(*dims)


def _types_met(one: object, other: object) -> Iterator[tuple[Type, Type]]:
    """The types that stand in one place of two declarations."""
    match one, other:
        case Class() as old, Class() as new:
            if old.base is not None and new.base is not None:
                yield from in_types(old.base, new.base)
            fields = {field.name: field for field in new.own_fields}
            for field in old.own_fields:
                if field.name in fields:
                    yield from in_types(field.type, fields[field.name].type)
            methods = {method.name: method for method in new.methods}
            for method in old.methods:
                if method.name in methods:
                    yield from in_signatures(method, methods[method.name])
        case declarations.Function() as old, declarations.Function() as new:
            yield from in_signatures(old, new)
        case _:
            pass


def _met_in_dims(old: Dim, new: Dim) -> Iterator[tuple[str, str]]:
    match old, new:
        case types.DimName(), types.DimName():
            yield old.name, new.name
        case types.Batch(), types.Batch():
            yield old.name, new.name
        case types.DimSum(), types.DimSum():
            yield from _met_in_dims(old.left, new.left)
            yield from _met_in_dims(old.right, new.right)
        case _:
            pass


def _renamed(
    comparison: Comparison,
    before: Module,
    after: Module,
    names: tuple[str, str],
    node: Class | None,
) -> None:
    old, new = names
    earlier = next((dim.span for dim in before.dims if dim.name == old), None)
    # A parameter of a class may be declared by no `Dim()`.
    otherwise = node.span if node is not None else Span(0, 0)
    comparison.add(
        Code.DIMENSION_RENAMED,
        after.source,
        next((dim.span for dim in after.dims if dim.name == new), otherwise),
        f"the dimension `{old}` is called `{new}` now",
        (SOURCE,),
        advice=f'keep the name, or have what says `{old}=` of `abstract`, and `"{old}"` of `axes`, '
        f"say `{new}`",
        before=None if earlier is None else (before.source, earlier),
    )
