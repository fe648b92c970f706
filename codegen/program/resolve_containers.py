"""Types with parts in brackets: containers, callables and literals.

tuple[f32, ...]            ->    Sequence("tuple", Array("float32", "f32", ()))
stacked[Block, layers]     ->    ClassType(Block, stacked=(DimName("layers"),))
Callable[[f32], f32]       ->    Callable((Array(...),), Array(...))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Literal, Protocol

from msgspec.structs import replace

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.names import NameTable
from codegen.program.resolve_dims import is_dim, resolve_shape
from codegen.program.show import dim_text, type_text
from codegen.program.types import Type
from codegen.program.unknown import may_be_dimension
from codegen.schema.roles import written
from codegen.source import Span

_Items = list[ast.expr] | None
_PAIR = 2  # a key and a value, or parameters and a result
_EXAMPLES = {
    "Callable": "write `Callable[[A, B], R]`, or `Callable[..., R]` for any parameters",
    "Mapping": "write `Mapping[K, V]`",
    "Sequence": "write `Sequence[T]`",
    "Literal": 'write `Literal["a", "b"]`',
    "dict": "write `dict[K, V]`; in a static role, `frozendict[K, V]`",
    "frozendict": "write `frozendict[K, V]`",
    "frozenset": "write `frozenset[T]`",
    "identity": "write `identity[T]`",
    "list": "write `list[T]`; in a static role, `tuple[T, ...]`",
    "stacked": "write `stacked[Block, layers]`: a class, and a dimension",
    "tuple": "write `tuple[T, ...]`, `tuple[A, B]`, or `tuple[()]` for the empty one",
}


class Resolver(Protocol):
    """What resolves the parts."""

    @property
    def names(self) -> NameTable:
        """The names of the module around."""
        ...

    @property
    def dims(self) -> frozenset[str]:
        """The dimension parameters of the class around."""
        ...

    def part(self, expr: ast.expr) -> Type | None:
        """One part."""
        ...

    def several(self, exprs: Iterable[ast.expr]) -> tuple[Type, ...] | None:
        """Several parts."""
        ...


def _frozen(resolver: Resolver, items: _Items) -> str:
    """What to write for `set[str]`."""
    element = written(resolver.names.scope, items[0]) if items and len(items) == 1 else ""
    return f"write `frozenset[{element or 'T'}]`; in a dynamic role, `tuple[{element or 'T'}, ...]`"


def resolve_container(resolver: Resolver, name: str, items: _Items, span: Span) -> Type | None:
    """The type behind a container's name and what stands in its brackets."""
    match name, items:
        case "set", _:
            resolver.names.scope.add(
                Code.MUTABLE_TYPE,
                span,
                "`set` is mutable, and JAX cannot look into it",
                label="not a type of the language",
                advice=_frozen(resolver, items),
            )
            return None
        case "tuple", []:
            return types.FixedTuple((), span)
        case "tuple", [element, ast.Constant(value=last)] if last is ...:
            return _sequence(resolver, "tuple", element, span)
        case "tuple", [element, size] if is_dim(
            resolver.names, resolver.dims, size
        ) or may_be_dimension(resolver.names, size):
            return _sequence(resolver, "tuple", element, span, size)
        case "stacked", [element, size]:
            return _stacked(resolver, element, size, span)
        case "tuple", [_, *_] if items:
            found = resolver.several(items)
            return None if found is None else types.FixedTuple(found, span)
        case "list" | "frozenset" as container, [element]:
            return _sequence(resolver, container, element, span)
        case "dict" | "frozendict" | "Mapping", [key, value]:
            return _mapping(resolver, name, key, value, span)
        case "identity", [one]:
            held = resolver.part(one)
            return None if held is None else types.Identity(held, span)
        case "Sequence", [element]:
            held = resolver.part(element)
            return None if held is None else types.Sequence("tuple", held, span, is_any=True)
        case "Callable", [parameters, result]:
            return _callable(resolver, parameters, result, span)
        case "Literal", [_, *_] if items:
            return _literal(resolver, items, span)
        case _:
            _incomplete(resolver, name, span)
            return None


def _sequence(
    resolver: Resolver,
    container: str,
    element: ast.expr,
    span: Span,
    size: ast.expr | None = None,
) -> Type | None:
    inner = resolver.part(element)
    count = resolve_shape(resolver.names, resolver.dims, (size,) if size else (), parameters=True)
    if inner is None or count is None:
        return None
    if container == "tuple":
        known = (dim for dim in count if not isinstance(dim, types.AnyDim))
        return types.Sequence("tuple", inner, span, next(known, None))
    return types.Sequence("list" if container == "list" else "frozenset", inner, span)


def _mapping(
    resolver: Resolver, name: str, key: ast.expr, value: ast.expr, span: Span
) -> Type | None:
    pair = resolver.part(key), resolver.part(value)
    if pair[0] is None or pair[1] is None:
        return None
    container: Literal["dict", "frozendict"] = "frozendict" if name == "frozendict" else "dict"
    return types.Mapping(container, pair[0], pair[1], span, is_any=name == "Mapping")


def _stacked(resolver: Resolver, element: ast.expr, size: ast.expr, span: Span) -> Type | None:
    if is_dim(resolver.names, resolver.dims, element):
        resolver.names.scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            "`stacked` takes the class before the dimension",
            label="in another order",
            advice=_EXAMPLES["stacked"],
        )
        return None
    inner = resolver.part(element)
    dims = resolve_shape(resolver.names, resolver.dims, (size,), parameters=True)
    if inner is None or dims is None:
        return None
    if isinstance(inner, types.ClassType):
        return replace(inner, span=span, stacked=(*dims, *inner.stacked))
    dim = resolver.names.scope.source.text_of(size)
    match inner:
        case types.Array():
            shape = ", ".join([dim, *map(dim_text, inner.shape)])
            advice = f"write the array with that axis: `{inner.written}[{shape}]`"
        case types.Union():
            forms = (f"stacked[{type_text(one)}, {dim}]" for one in inner.members)
            advice = f"all layers are of one class: `{' | '.join(forms)}`"
            if one := types.optional(inner):
                advice = f"write `None` outside: `stacked[{type_text(one)}, {dim}] | None`"
        case _:
            advice = "make it a field of a class, and stack the class"
    resolver.names.scope.add(
        Code.WRONG_STACK,
        element,
        f"`stacked` takes a class, and `{type_text(inner)}` is none",
        label="no class of the schema",
        advice=advice,
    )
    return None


def _callable(
    resolver: Resolver, parameters: ast.expr, result: ast.expr, span: Span
) -> Type | None:
    returned = resolver.part(result)
    if isinstance(parameters, ast.Constant) and parameters.value is ...:
        return None if returned is None else types.Callable(None, returned, span)
    if not isinstance(parameters, ast.List):
        _incomplete(resolver, "Callable", resolver.names.scope.source.span(parameters))
        return None
    found = resolver.several(parameters.elts)
    return None if found is None or returned is None else types.Callable(found, returned, span)


def _literal(resolver: Resolver, items: Iterable[ast.expr], span: Span) -> Type | None:
    values: list[int | str | bytes | bool | None] = []
    for item in items:
        inner = item.operand if isinstance(item, ast.UnaryOp) else item
        value = inner.value if isinstance(inner, ast.Constant) else ...
        is_signed = isinstance(item, ast.UnaryOp)
        if (
            value is ...
            or isinstance(value, float | complex)
            or (is_signed and (not isinstance(value, int) or isinstance(value, bool)))
        ):
            resolver.names.scope.add(
                Code.NOT_A_TYPE,
                item,
                "`Literal` cannot hold this",
                label="expected an integer, a string, bytes, a boolean or `None`",
                advice="for members of an enum write the enum itself",
            )
            return None
        negative = isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.USub)
        values.append(-value if negative and isinstance(value, int) else value)
    return types.Literals(tuple(values), span)


def _incomplete(resolver: Resolver, name: str, span: Span) -> None:
    resolver.names.scope.add(
        Code.WRONG_TYPE_ARGUMENTS,
        span,
        f"`{name}` does not say what it holds"
        if name not in ("Callable", "Literal")
        else f"`{name}` is not complete",
        label="wrong or missing brackets",
        advice=_EXAMPLES.get(name, ""),
    )
