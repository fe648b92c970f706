"""Turn type expressions into types.

Subscript(Name("f32"), (Name("nx"),))    ->    Array("float32", "f32", (DimName("nx"),))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.budget import MODULE_NODES_MAX, Extents
from codegen.program.names import NameTable, Outside, Symbol
from codegen.program.resolve_containers import resolve_container
from codegen.program.resolve_dims import in_order, resolve_shape
from codegen.program.substitution import placed, union
from codegen.program.types import Type
from codegen.program.unknown import not_a_type, unknown_module, unknown_type
from codegen.schema.nodes import Alias, ClassDecl
from codegen.schema.scope import counted, shortened
from codegen.schema.stub import dotted
from codegen.schema.stub import items as items_of
from codegen.schema.vocabulary import ARRAY_TYPES, DTYPES, HABITS, Word
from codegen.source import Span

# What stands in brackets behind a name; None where there are no brackets.
Items = list[ast.expr] | None

_CONTAINERS = (
    *("builtin", "callable", "frozendict", "identity", "literal", "mapping", "sequence", "stacked"),
)
_SCALARS = ("int", "float", "bool", "complex", "str", "bytes")
_ARRAY_OF = {"int": "i32", "float": "f32", "complex": "c64"}


class TypeResolver(Struct, frozen=True, eq=False):
    """Resolves the type expressions of one class, function or alias."""

    names: NameTable
    all_names: dict[str, NameTable]
    extents: Extents
    # Of each alias what it stands for, None where it is wrong. One dict for the whole program.
    aliases: dict[types.Ref, Type | None]
    dims: frozenset[str] = frozenset()  # the class's own dimension parameters

    def resolve(self, expr: ast.expr) -> Type | None:
        """The type, or None where the expression is none, which has been reported."""
        return self.part(expr) if self._is_small_enough(expr) else None

    def part(self, expr: ast.expr) -> Type | None:
        """A part of a type that is small enough as a whole."""
        span = self.names.scope.source.span(expr)
        match expr:
            case ast.Constant(value=None):
                return types.NoneType(span)
            case ast.Name():
                return self._named(expr, None, span)
            case ast.Subscript(value=ast.Name() as head):
                return self._named(head, items_of(expr), span)
            case ast.Attribute():
                return self._dotted(expr, None, span)
            case ast.Subscript(value=ast.Attribute() as head):
                return self._dotted(head, items_of(expr), span)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                sides = self.several((left, right))
                return None if sides is None else union(sides, span)
            case _:
                not_a_type(self.names, expr)
                return None

    def several(self, exprs: Iterable[ast.expr]) -> tuple[Type, ...] | None:
        """The types of several expressions, or None where one of them is none."""
        resolved = [self.part(expr) for expr in exprs]
        found = tuple(type for type in resolved if type is not None)
        return found if len(found) == len(resolved) else None

    def alias(self, symbol: Symbol) -> Type | None:
        """Resolve an alias where it is declared, once, so that its names mean what they mean there."""
        if symbol.ref not in self.aliases:
            first = self.extents.first_of_circle(symbol.ref)
            if first is not None:
                # Whoever comes upon the circle, it is one mistake, in one place.
                self._report_cycle(first)
                self.aliases[symbol.ref] = None
                return None
            decl = symbol.decl
            assert isinstance(decl, Alias)
            home = self.all_names[symbol.ref.module]
            inner = TypeResolver(home, self.all_names, self.extents, self.aliases)
            self.aliases[symbol.ref] = inner.resolve(decl.type)
        return self.aliases[symbol.ref]

    def type_parameters(self, decl: ClassDecl, module: str) -> tuple[str, ...]:
        """The names in `Generic[...]` among a class's bases."""
        names = self.all_names[module]
        for base in decl.bases:
            if isinstance(base, ast.Subscript) and isinstance(base.value, ast.Name):
                meaning = names.find(base.value.id)
                if isinstance(meaning, Word) and meaning.kind == "generic":
                    return tuple(i.id for i in items_of(base) if isinstance(i, ast.Name))
        return ()

    # --- names

    def _named(self, head: ast.Name, items: Items, span: Span) -> Type | None:
        match self.names.find(head.id):
            case Word() as word:
                return self._word(word, head, items, span)
            case Symbol() as symbol:
                return self._symbol(symbol, head, items, span)
            case Outside(module, attribute):
                return self._outside(module, attribute, head.id, items, span)
            case _:
                unknown_type(self.names, head)
                return None

    def _word(self, word: Word, head: ast.Name, items: Items, span: Span) -> Type | None:
        name = word.name
        match word.kind:
            case "dtype" | "kind":
                return self._array(DTYPES.get(name, name), head.id, items, span)
            case "builtin" if name in _SCALARS:
                return self._scalar(name, items, span)
            case _ if word.kind in _CONTAINERS:
                return resolve_container(self, name, items, span)
            case "any":
                return types.Anything(span) if self._alone(items, name, span) else None
            case "dtype_type":
                return types.DType(span) if self._alone(items, name, span) else None
            case "role":
                self.names.scope.add(
                    Code.NESTED_ROLE,
                    head,
                    f"the role `{name}` stands inside a type",
                    label="a role stands outermost, once",
                    advice=f"write the type alone, without `{name}[...]`; parts with roles of their own "
                    "need a class of their own",
                )
            case "unknown":
                pass
            case _:
                not_a_type(self.names, head)
        return None

    def _symbol(self, symbol: Symbol, head: ast.Name, items: Items, span: Span) -> Type | None:
        match symbol.decl, symbol.kind:
            case ClassDecl() as decl, _:
                return self._class(symbol.ref, decl, items, span)
            case Alias(), _:
                type = self.alias(symbol) if self._alone(items, head.id, span) else None
                return type and replace(placed(type, span), alias=symbol.ref)
            case _, "enum":
                alone = self._alone(items, head.id, span)
                return types.EnumType(symbol.ref, span) if alone else None
            case _, "type parameter":
                alone = self._alone(items, head.id, span)
                return types.TypeParameter(head.id, span) if alone else None
            case _:
                advice = f"dimensions stand in brackets: `f32[{head.id}]`"
                self.names.scope.add(
                    Code.NOT_A_TYPE,
                    head,
                    f"the {symbol.kind} `{head.id}` is not a type",
                    label="expected a type",
                    advice=advice if symbol.kind == "dimension" else "write the type it returns",
                )
                return None

    def _outside(
        self, module: str, attribute: str, local: str, items: Items, span: Span
    ) -> Type | None:
        if (module, attribute) in ARRAY_TYPES:
            self.names.scope.add(
                Code.NOT_A_TYPE,
                span,
                f"`{local}` says neither dtype nor shape",
                label="an array of what?",
                advice=HABITS["PRNGKey" if attribute.endswith("PRNGKey") else "ndarray"],
            )
            return None
        if not attribute:
            self.names.scope.add(
                Code.NOT_A_TYPE,
                span,
                f"the module `{local}` is not a type",
                label="expected a type",
                advice=f"write one of its types: `{local}.Name`",
            )
            return None
        arguments = self.several(items or ())
        if arguments is None:
            return None
        return types.External(module, attribute, local, arguments, span)

    def _dotted(self, expr: ast.Attribute, items: Items, span: Span) -> Type | None:
        """`np.float32`, `optax.schedules.Schedule`."""
        root, *names = dotted(expr)
        meaning = self.names.find(root)
        if isinstance(meaning, Word) and meaning.kind == "unknown":
            return None
        if root and meaning is None:
            unknown_module(self.names, self.all_names, root, expr, names)
            return None
        if not isinstance(meaning, Outside):
            self.names.scope.add(
                Code.NOT_A_TYPE,
                expr,
                "this is not a type",
                label="no module from outside the schema",
                advice="what belongs to this schema is named without a dot",
            )
            return None
        if meaning.attribute:
            attribute = ".".join([meaning.attribute, *names])
            return self._outside(meaning.module, attribute, ".".join([root, *names]), items, span)
        module, attribute = self.names.below(meaning.module, [root, *names])
        return self._outside(module, attribute, ".".join([root, *names]), items, span)

    # --- forms

    def _array(self, dtype: str, written: str, items: Items, span: Span) -> Type | None:
        shape = resolve_shape(self.names, self.dims, items or ())
        return None if shape is None else types.Array(dtype, written, shape, span)

    def _scalar(self, name: str, items: Items, span: Span) -> Type | None:
        if name == "bool" and items is not None:
            # The dtype is called as the builtin is.
            return self._array(name, name, items, span)
        array = _ARRAY_OF.get(name)
        advice = f"an array is written `{array}[n]`, one number `{name}`" if array else ""
        if not self._alone(items, name, span, advice):
            return None
        return types.Scalar(
            cast("Literal['int', 'float', 'bool', 'complex', 'str', 'bytes']", name), span
        )

    def _class(self, ref: types.Ref, decl: ClassDecl, items: Items, span: Span) -> Type | None:
        if items is None:
            return types.ClassType(ref, (), (), span)
        expected = [*(d.name for d in decl.dims), *self.type_parameters(decl, ref.module)]
        if len(items) != len(expected):
            self.names.scope.add(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                f"`{ref.name}` takes {counted(len(expected))} in brackets",
                label=f"{len(items)} given",
                advice=f"write `{ref.name}[{', '.join(expected)}]`, in your terms"
                if expected
                else f"write `{ref.name}` alone, or declare `class {ref.name}(dims=(n,))`",
            )
            return None
        count = len(decl.dims)
        if ordered := in_order(self.names, self.dims, items, count):
            self._report_order(ref, ordered, span)
            return None
        dims = resolve_shape(self.names, self.dims, items[:count], parameters=True)
        arguments = self.several(items[count:])
        if dims is None or arguments is None:
            return None
        return types.ClassType(ref, dims, arguments, span)

    def _report_order(self, ref: types.Ref, ordered: list[ast.expr], span: Span) -> None:
        written = ", ".join(shortened(self.names.scope, item) for item in ordered)
        self.names.scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"the dimensions of `{ref.name}` stand before its type parameters",
            label="in another order",
            advice=f"write `{ref.name}[{written}]`",
        )

    def _alone(self, items: Items, name: str, span: Span, advice: str = "") -> bool:
        """Whether a name stands without brackets, as it must."""
        if items is None:
            return True
        self.names.scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"`{name}` takes nothing in brackets",
            label="no brackets",
            advice=advice or f"write `{name}` alone",
        )
        return False

    def _is_small_enough(self, expr: ast.expr) -> bool:
        """Whether a type may be written out; one that may not is reported, or an alias in it is."""
        extent = self.extents.of(self.names, expr)
        module = self.names.module.name
        if fault := extent.fault:
            if not self.extents.is_too_large(self.names, expr):
                self._report_size(expr, f"this type {fault} where its aliases are written out")
            return False
        total = self.extents.spend(module, extent)
        if total - extent.nodes <= MODULE_NODES_MAX < total:
            message = f"the types up to here have more than {MODULE_NODES_MAX:,} nodes in all"
            self._report_size(expr, f"{message} where their aliases are written out")
        return total <= MODULE_NODES_MAX

    def _report_size(self, expr: ast.expr, message: str) -> None:
        self.names.scope.add(
            Code.NESTED_TOO_DEEPLY,
            expr,
            message,
            label="too large",
            advice="make a part of it a class: a class is named, and not written out",
        )

    def _report_cycle(self, ref: types.Ref) -> None:
        names = self.all_names[ref.module]
        symbol = names.find(ref.name)
        assert isinstance(symbol, Symbol)
        names.scope.add(
            Code.ALIAS_CYCLE,
            symbol.decl.span,
            f"the alias `{ref.name}` is defined by itself",
            label="it would never end",
            advice="make one of the types a class: classes may name each other",
        )
