"""Resolve types with parts in brackets: containers, callables and literals.

tuple[f32, ...]            ->    Sequence("tuple", Array("float32", "f32", ()))
stacked[Block, layers]     ->    ClassType(Block, stacked=(DimName("layers"),))
Callable[[f32], f32]       ->    Callable((Array(...),), Array(...))
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.names import NameTable
from codegen.program.resolve_dims import is_dim, resolve_shape
from codegen.program.text import dim_text, type_text
from codegen.program.types import Type
from codegen.program.unknown import may_be_dimension
from codegen.schema.roles import format_type
from codegen.schema.scope import Refused, attempt, counted, each, short_text
from codegen.source import Span

# The items in the brackets after a name; None where there are no brackets.
Items: TypeAlias = list[ast.expr] | None

_OF_ONE: Final[dict[str, Callable[[Type, Span], Type]]] = {
    "Sequence": lambda one, span: types.Sequence("tuple", one, span=span, is_any=True),
    "frozenset": lambda one, span: types.Sequence("frozenset", one, span=span),
    "identity": lambda one, span: types.Identity(one, span=span),
    "list": lambda one, span: types.Sequence("list", one, span=span),
}
_OF_TWO: Final[dict[str, Callable[[Type, Type, Span], Type]]] = {
    "Mapping": lambda key, value, span: types.Mapping("dict", key, value, span=span, is_any=True),
    "dict": lambda key, value, span: types.Mapping("dict", key, value, span=span),
    "frozendict": lambda key, value, span: types.Mapping("frozendict", key, value, span=span),
}
_CALLABLE: Final = (
    "write the parameters and the result, as in `Callable[[float], float]`, or "
    "`Callable[..., float]` for any parameters"
)
# The number of arguments in brackets, and what to write.
_ARGUMENTS: Final = {
    "Callable": ("2 arguments", _CALLABLE),
    "Literal": ("at least 1 argument", 'write the values, as in `Literal["a", "b"]`'),
    "Mapping": ("2 arguments", "write two types, as in `Mapping[str, f32]`"),
    "Sequence": ("1 argument", "write one type, as in `Sequence[f32]`"),
    "dict": (
        "2 arguments",
        "write two types, as in `dict[str, f32]`; in a static role, `frozendict[str, int]`",
    ),
    "frozendict": ("2 arguments", "write two types, as in `frozendict[str, int]`"),
    "frozenset": ("1 argument", "write one type, as in `frozenset[str]`"),
    "identity": ("1 argument", "write one type, as in `identity[Callable[[float], float]]`"),
    "list": (
        "1 argument",
        "write one type, as in `list[f32]`; in a static role, `tuple[int, ...]`",
    ),
    "stacked": ("2 arguments", "write a class and a dimension, as in `stacked[Block, layers]`"),
    "tuple": (
        "arguments",
        "write `tuple[int, ...]`, `tuple[int, str]`, or `tuple[()]` for the empty tuple",
    ),
}


class ContainerResolver(Struct, frozen=True, eq=False):
    """Resolves the items in the brackets of containers; a subclass resolves the parts."""

    names: NameTable

    def part(self, expr: ast.expr) -> Type:
        """Resolve one part."""
        raise NotImplementedError

    def container(self, name: str, items: Items, span: Span) -> Type:
        """Return the type of a container with the items in its brackets."""
        match name, items:
            case "set", _:
                raise self._refused_set(items, span)
            case "tuple", list() as parts:
                return self._tuple(parts, span)
            case "stacked", [element, size]:
                return self._stacked(element, size, span)
            case "Callable", [parameters, result]:
                return self._callable(parameters, result, span)
            case "Literal", [_, *_] if items:
                return types.Literals(tuple(map(self._literal, items)), span=span)
            case _, [_] if items and name in _OF_ONE:
                return _OF_ONE[name](self.part(items[0]), span)
            case _, [_, _] if items and name in _OF_TWO:
                key, value = each(self.part, items)
                return _OF_TWO[name](key, value, span)
            case _:
                raise self._wrong_count(name, items, span)

    def _refused_set(self, items: Items, span: Span) -> Refused:
        element = (format_type(self.names, items[0]) if items and len(items) == 1 else "") or "T"
        return self.names.refused(
            Code.MUTABLE_TYPE,
            span,
            "`set` is mutable, and JAX does not treat it as a pytree",
            label="not a type of the schema language",
            advice=f"write `frozenset[{element}]` in a static role, or `tuple[{element}, ...]` in "
            "a dynamic role",
        )

    def _tuple(self, items: list[ast.expr], span: Span) -> Type:
        match items:
            case [element, ast.Constant(value=last)] if last is ...:
                return types.Sequence("tuple", self.part(element), span=span)
            case [element, size] if is_dim(self.names, size) or may_be_dimension(self.names, size):
                inner, (count,) = self._sized(element, size)
                known = None if isinstance(count, types.AnyDim) else count
                return types.Sequence("tuple", inner, span=span, size=known)
            case _:
                return types.FixedTuple(each(self.part, items), span=span)

    def _sized(self, element: ast.expr, size: ast.expr) -> tuple[Type, tuple[types.Dim, ...]]:
        try:
            inner = self.part(element)
        finally:  # Report the mistakes of the size, too.
            dims = resolve_shape(self.names, (size,), parameters=True)
        return inner, dims

    def _stacked(self, element: ast.expr, size: ast.expr, span: Span) -> Type:
        if is_dim(self.names, element):
            raise self.names.refused(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                "`stacked` takes the class before the dimension",
                label="wrong order",
                advice="write `stacked["
                f"{short_text(self.names, size)}, {short_text(self.names, element)}]`",
            )
        inner, dims = self._sized(element, size)
        if isinstance(inner, types.ClassType):
            return replace(inner, span=span, stacked=(*dims, *inner.stacked))
        raise self.names.refused(
            Code.WRONG_STACK,
            element,
            f"`stacked` takes a class, but `{type_text(inner)}` is not a class",
            label="expected a schema class",
            advice=_stack_help(inner, self.names.source.text_of(size)),
        )

    def _callable(self, parameters: ast.expr, result: ast.expr, span: Span) -> Type:
        match parameters:
            case ast.Constant(value=value) if value is ...:
                return types.Callable(None, self.part(result), span=span)
            case ast.List(elts=elts):
                *resolved, returned = each(self.part, (*elts, result))
                return types.Callable(tuple(resolved), returned, span=span)
            case _:
                attempt(self.part, result)
                raise self.names.refused(
                    Code.WRONG_TYPE_ARGUMENTS,
                    parameters,
                    "the parameters of `Callable` are not a list",
                    label="expected a list of types, or `...`",
                    advice=_CALLABLE,
                )

    def _literal(self, item: ast.expr) -> int | str | bytes | bool | None:
        match item:
            case ast.UnaryOp(op=op, operand=ast.Constant(value=int() as number)) if not isinstance(
                number, bool
            ):
                return -number if isinstance(op, ast.USub) else number
            case ast.Constant(value=int() | str() | bytes() | None as value):
                return value
            case _:
                raise self.names.refused(
                    Code.NOT_A_TYPE,
                    item,
                    "`Literal` cannot contain this value",
                    label="expected an integer, a string, bytes, a boolean or `None`",
                    advice="write one of these. If this is a member of an enum, use the enum as "
                    "the type",
                )

    def _wrong_count(self, name: str, items: Items, span: Span) -> Refused:
        expected, advice = _ARGUMENTS[name]
        return self.names.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"`{name}` needs arguments in brackets"
            if items is None
            else f"`{name}` takes {expected} in brackets",
            label="no brackets" if items is None else f"{counted(len(items))} given",
            advice=advice,
        )


def _stack_help(inner: Type, dim: str) -> str:
    """Return the advice for a stack of something that is not a class."""
    match inner:
        case types.Array():
            shape = ", ".join([dim, *map(dim_text, inner.shape)])
            return f"write the array with this axis: `{inner.spelling}[{shape}]`"
        case types.Union():
            if one := types.unwrap_optional(inner):
                return (
                    f"write `None` outside of the stack: `stacked[{type_text(one)}, {dim}] | None`"
                )
            forms = (f"stacked[{type_text(one)}, {dim}]" for one in inner.members)
            return f"all layers must be of the same class: write `{' | '.join(forms)}`"
        case _:
            return "declare a class with a field of this type, and stack that class"
