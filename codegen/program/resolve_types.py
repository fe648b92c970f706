"""Turn type expressions into types.

f32[nx]                    ->    Array("float32", "f32", (DimName("nx"),))
tuple[f32, ...]            ->    Sequence("tuple", Array("float32", "f32", ()))
stacked[Block, layers]     ->    ClassType(Block, stacked=(DimName("layers"),))
Callable[[f32], f32]       ->    Callable((Array(...),), Array(...))
"""

from __future__ import annotations

import ast
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.extents import MODULE_NODES_MAX, Extents
from codegen.program.names import ExternalName, NameTable, Symbol
from codegen.program.resolve_dims import dims_first, is_dim, resolve_shape
from codegen.program.types import Type
from codegen.program.unknown import (
    may_be_dimension,
    refuse_type,
    refuse_unknown_module,
    report_unknown_type,
)
from codegen.schema.nodes import Alias, ClassDecl
from codegen.schema.scope import Refused, attempt, counted, each, short_text
from codegen.schema.stub import dotted, head
from codegen.schema.stub import items as items_of
from codegen.schema.vocabulary import ARRAY_TYPES, BRACKETED, DTYPES, HABITS, LanguageWord
from codegen.source import Located, Span

_SCALARS = ("int", "float", "bool", "complex", "str", "bytes")
_ARRAY_OF = {"int": "i32", "float": "f32", "complex": "c64"}


# The items in the brackets after a name; None where there are no brackets.
Items: TypeAlias = list[ast.expr] | None

# The types that take only types in brackets, one for each of their `TYPES`.
_OF_TYPES: Final[dict[str, tuple[type[Type], dict[str, Any]]]] = {
    "Mapping": (types.Mapping, {"container": "dict", "is_any": True}),
    "Sequence": (types.Sequence, {"container": "tuple", "is_any": True}),
    "dict": (types.Mapping, {"container": "dict"}),
    "frozendict": (types.Mapping, {"container": "frozendict"}),
    "frozenset": (types.Sequence, {"container": "frozenset"}),
    "identity": (types.Identity, {}),
    "list": (types.Sequence, {"container": "list"}),
}


class TypeResolver(Struct, frozen=True, eq=False):
    """Resolves the type expressions of one class, function or alias."""

    names: NameTable
    all_names: dict[str, NameTable]
    extents: Extents
    # The type of each alias, None if the alias has a mistake. One dict for the whole program.
    aliases: dict[types.Ref, Type | None]

    def resolve(self, expr: ast.expr) -> Type:
        """Resolve a type.

        Raises:
            Refused: if the expression is no type, which is reported.
        """
        self._check_size(expr)
        return self.part(expr)

    def part(self, expr: ast.expr) -> Type:
        """Resolve a part of a type whose total size is within the limit."""
        span = self.names.source.span(expr)
        first = head(expr)
        items = items_of(expr) if isinstance(expr, ast.Subscript) else None
        match first:
            case ast.Name():
                return self._named_type(first, items, span)
            case ast.Attribute():
                return self._dotted(first, items, span)
            case ast.Constant(value=None) if first is expr:
                return types.NoneType(span=span)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right) if first is expr:
                return types.union(each(self.part, (left, right)), span)
            case _:
                raise refuse_type(self.names, expr)

    def alias(self, symbol: Symbol) -> Type:
        """Resolve an alias once, in the module that declares it, so that its names have their
        meaning there.
        """
        if symbol.ref not in self.aliases:
            decl = symbol.decl
            assert isinstance(decl, Alias)
            first = self.extents.cycle_representative(symbol.ref)
            if first is not None:
                # A cycle is one mistake in one place, whichever alias is resolved first.
                self._report_cycle(first)
                self.aliases[symbol.ref] = None
            else:
                inner = replace(self, names=self.all_names[symbol.ref.module])
                self.aliases[symbol.ref] = attempt(inner.resolve, decl.type)
        aliased = self.aliases[symbol.ref]
        if aliased is None:
            raise Refused
        return aliased

    def type_parameters(self, decl: ClassDecl, module: str) -> tuple[str, ...]:
        """Return the names in `Generic[...]` among a class's bases."""
        names = self.all_names[module]
        for base in decl.bases:
            if isinstance(base, ast.Subscript):
                meaning = names.find(base.value)
                if isinstance(meaning, LanguageWord) and meaning.kind == "generic":
                    return tuple(i.id for i in items_of(base) if isinstance(i, ast.Name))
        return ()

    # --- names

    def _named_type(self, head: ast.Name, items: Items, span: Span) -> Type:
        match self.names.find(head):
            case LanguageWord() as word:
                return self._word(word, head, items, span)
            case Symbol() as symbol:
                return self._symbol(symbol, head, items, span)
            case ExternalName() as external:
                return self._external(external, head.id, items, span)
            case _:
                report_unknown_type(self.names, head)
                raise Refused

    def _word(self, word: LanguageWord, head: ast.Name, items: Items, span: Span) -> Type:
        name = word.name
        match word.kind:
            case "dtype" | "kind":
                return self._array(DTYPES.get(name, name), head.id, items, span)
            case "builtin" if name in _SCALARS:
                return self._scalar(name, items, span)
            case "bracketed" | "builtin":
                return self._container(name, items, span)
            case "any":
                self._check_no_brackets(items, name, span)
                return types.Anything(span=span)
            case "plain":
                self._check_no_brackets(items, name, span)
                return types.PlainType(name, span=span)
            case "role":
                raise self.names.refused(
                    Code.NESTED_ROLE,
                    head,
                    f"the role `{name}` is inside a type",
                    label="expected one role, around the whole type",
                    advice=f"write only the type, without `{name}[...]`. If a part needs another "
                    "role, declare a class for that part",
                )
            case "unknown":
                raise Refused
            case _:
                raise refuse_type(self.names, head)

    def _symbol(self, symbol: Symbol, head: ast.Name, items: Items, span: Span) -> Type:
        if isinstance(symbol.decl, ClassDecl):
            return self._class(symbol.ref, symbol.decl, items, span)
        if symbol.kind in ("dimension", "function"):
            raise self._refused(
                head,
                f"the {symbol.kind} `{head.id}` is not a type",
                f"write dimensions in brackets: `f32[{head.id}]`"
                if symbol.kind == "dimension"
                else f"write the type that `{head.id}` returns",
            )
        self._check_no_brackets(items, head.id, span, self._array_advice(symbol, head.id, items))
        match symbol.kind:
            case "alias":
                return replace(self.alias(symbol).with_span(span), alias=symbol.ref)
            case "enum":
                return types.EnumType(symbol.ref, span=span)
            case _:
                return types.TypeParameter(head.id, span=span)

    def _array_advice(self, symbol: Symbol, name: str, items: Items) -> str:
        """Return the advice for brackets after an alias of an array; empty for another name."""
        array = attempt(self.alias, symbol) if items and symbol.kind == "alias" else None
        if not items or not isinstance(array, types.Array):
            return ""
        written = ", ".join(short_text(self.names, item) for item in items)
        return f"write only `{name}`, or the array: `{array.spelling}[{written}]`"

    def _external(self, external: ExternalName, local: str, items: Items, span: Span) -> Type:
        module, attribute = external.module, external.attribute
        if (module, attribute) in ARRAY_TYPES:
            raise self._refused(
                span,
                f"`{local}` has no dtype and no shape",
                HABITS["PRNGKey" if attribute.endswith("PRNGKey") else "ndarray"],
                "expected a dtype and a shape",
            )
        if not attribute:
            advice = f"write one of its types: `{local}.Name`"
            raise self._refused(span, f"the module `{local}` is not a type", advice)
        return types.External(module, attribute, local, each(self.part, items or ()), span=span)

    def _dotted(self, expr: ast.Attribute, items: Items, span: Span) -> Type:
        """Resolve `np.float32`, `optax.schedules.Schedule`."""
        root, *names = dotted(expr)
        if self.names.is_refused(root):
            raise Refused
        if root and self.names.find(root) is None:
            raise refuse_unknown_module(self.names, self.all_names, root, expr, names)
        external = self.names.external(expr)
        if external is None:
            called = f"`{'.'.join([root, *names])}`" if root else "this expression"
            advice = "for a class of this schema, write only its name"
            advice += f", `{names[-1]}`" if names else ""
            label = f"`{root}` is not an imported Python module" if root else "not a name"
            raise self._refused(expr, f"{called} is not a type", advice, label)
        return self._external(external, ".".join([root, *names]), items, span)

    def _refused(
        self, where: Span | Located, message: str, advice: str, label: str = "expected a type"
    ) -> Refused:
        return self.names.refused(Code.NOT_A_TYPE, where, message, label=label, advice=advice)

    # --- forms

    def _array(self, dtype: str, spelling: str, items: Items, span: Span) -> Type:
        return types.Array(dtype, spelling, resolve_shape(self.names, items or ()), span=span)

    def _scalar(self, name: str, items: Items, span: Span) -> Type:
        if name == "bool" and items is not None:
            # The dtype has the same name as the builtin.
            return self._array(name, name, items, span)
        array = _ARRAY_OF.get(name)
        advice = f"write an array as `{array}[n]`, a single number as `{name}`" if array else ""
        self._check_no_brackets(items, name, span, advice)
        return types.Scalar(name, span=span)

    def _class(self, ref: types.Ref, decl: ClassDecl, items: Items, span: Span) -> Type:
        if items is None:
            return types.ClassType(ref, (), (), span=span)
        expected = [*(d.name for d in decl.dims), *self.type_parameters(decl, ref.module)]
        if len(items) != len(expected):
            raise self.names.refused(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                f"`{ref.name}` takes {counted(len(expected))} in brackets",
                label=f"{counted(len(items))} given",
                advice=f"write `{ref.name}[{', '.join(expected)}]`, with your own dimensions and "
                "types"
                if expected
                else f"write only `{ref.name}`. If `{ref.name}` should have a dimension, declare "
                f"`class {ref.name}({self._base_with_dims(ref, decl)})`",
            )
        count = len(decl.dims)
        if ordered := dims_first(self.names, items, count):
            text = ", ".join(short_text(self.names, item) for item in ordered)
            raise self.names.refused(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                f"the dimensions of `{ref.name}` come before its type parameters",
                label="wrong order",
                advice=f"write `{ref.name}[{text}]`",
            )
        try:
            dims = resolve_shape(self.names, items[:count], parameters=True)
        finally:  # Report the mistakes of the types, too.
            arguments = each(self.part, items[count:])
        return types.ClassType(ref, dims, arguments, span=span)

    def _base_with_dims(self, ref: types.Ref, decl: ClassDecl) -> str:
        """Return what to write in the header of a class, so that it has dimensions: those of its
        base, if it has some.
        """
        for base in decl.bases:
            symbol = self.all_names[ref.module].symbol(head(base))
            if symbol and isinstance(symbol.decl, ClassDecl) and symbol.decl.dims:
                dims = ", ".join(dim.name for dim in symbol.decl.dims)
                comma = "," if len(symbol.decl.dims) == 1 else ""
                return f"{short_text(self.names, head(base))}[{dims}], dims=({dims}{comma})"
        return "dims=(n,)"

    def _container(self, name: str, items: Items, span: Span) -> Type:
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
            case _, list() as parts if name in _OF_TYPES:
                kind, options = _OF_TYPES[name]
                if len(parts) == len(kind.TYPES):
                    inner: dict[str, Any]
                    inner = dict(zip(kind.TYPES, each(self.part, parts), strict=True))
                    return kind(**inner, **options, span=span)
                raise self._wrong_count(name, items, span)
            case _:
                raise self._wrong_count(name, items, span)

    def _refused_set(self, items: Items, span: Span) -> Refused:
        element = short_text(self.names, items[0], "T") if items and len(items) == 1 else "T"
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
            f"`stacked` takes a class, but `{inner}` is not a class",
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
                    advice=BRACKETED["Callable"][1],
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
        expected, advice = BRACKETED[name]
        return self.names.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"`{name}` needs arguments in brackets"
            if items is None
            else f"`{name}` takes {expected} in brackets",
            label="no brackets" if items is None else f"{counted(len(items))} given",
            advice=advice,
        )

    def _check_no_brackets(self, items: Items, name: str, span: Span, advice: str = "") -> None:
        """Refuse brackets after a name that takes none."""
        if items is not None:
            raise self.names.refused(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                f"`{name}` takes no brackets",
                label="unexpected brackets",
                advice=advice or f"write only `{name}`",
            )

    def _check_size(self, expr: ast.expr) -> None:
        """Refuse a type that is too large to be expanded. An alias in it was itself refused."""
        extent = self.extents.of(self.names, expr)
        if fault := extent.exceeded_limit:
            if not self.extents.is_too_large(self.names, expr):
                self._report_size(expr, f"this type {fault} after its aliases are expanded")
            raise Refused
        total = self.extents.add_to_total(self.names.module.name, extent)
        if total - extent.nodes <= MODULE_NODES_MAX < total:
            message = f"the types up to here have more than {MODULE_NODES_MAX:,} nodes in total"
            self._report_size(expr, f"{message} after their aliases are expanded")
        if total > MODULE_NODES_MAX:
            raise Refused

    def _report_size(self, expr: ast.expr, message: str) -> None:
        self.names.add(
            Code.NESTED_TOO_DEEPLY,
            expr,
            message,
            label="too large",
            advice="make a part of it a class: classes are referenced by name and not expanded",
        )

    def _report_cycle(self, ref: types.Ref) -> None:
        names = self.all_names[ref.module]
        symbol = names.find(ref.name)
        assert isinstance(symbol, Symbol)
        names.add(
            Code.ALIAS_CYCLE,
            symbol.decl.span,
            f"the alias `{ref.name}` refers to itself",
            label="this definition never ends",
            advice="make one of the types a class: classes can refer to each other",
        )


def _stack_help(inner: Type, dim: str) -> str:
    """Return the advice for a stack of something that is not a class."""
    match inner:
        case types.Array():
            shape = ", ".join([dim, *map(str, inner.shape)])
            return f"write the array with this axis: `{inner.spelling}[{shape}]`"
        case types.Union():
            one = inner.without_none
            if one is not inner:
                return f"write `None` outside of the stack: `stacked[{one}, {dim}] | None`"
            forms = (f"stacked[{one}, {dim}]" for one in inner.members)
            return f"all layers must be of the same class: write `{' | '.join(forms)}`"
        case _:
            return "declare a class with a field of this type, and stack that class"
