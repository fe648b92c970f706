"""Turn type expressions into types.

    Subscript(Name("f32"), (Name("nx"),))    ->    Array("float32", "f32", (DimName("nx"),))
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.diagnostics.codes import Code
from codegen.program import types
from codegen.program.names import Names, Outside, Symbol
from codegen.program.resolve_dims import resolve_shape
from codegen.program.types import Type
from codegen.schema.nodes import AliasDecl, ClassDecl
from codegen.schema.scope import HOME_OF_WORD, did_you_mean, import_help
from codegen.schema.vocabulary import DTYPES, KINDS, TYPING, Word
from codegen.source import Span
from codegen.syntax import nodes as syntax

SCALARS = ("int", "float", "bool", "complex", "str", "bytes")
_LEGAL_KINDS = (
    "dtype", "kind", "builtin", "dtype_type", "any", "callable", "literal", "frozendict",
    "class", "enum", "alias", "type parameter",
)  # fmt: skip


@dataclass(slots=True)
class TypeResolver:
    """Resolves the type expressions of one class, function or alias."""

    names: Names
    all_names: dict[str, Names]
    dims: frozenset[str] = frozenset()  # the class's own dimension parameters
    expanding: list[types.Ref] = field(default_factory=list[types.Ref])

    def resolve(self, expr: syntax.Expr) -> Type | None:
        """Return the type, or None where the expression is none (then it has been reported)."""
        match expr:
            case syntax.Constant(value=None):
                return types.NoneType(expr.span)
            case syntax.Constant(value=str() as text):
                return self._wrong(
                    Code.QUOTED_ANNOTATION,
                    expr.span,
                    "a type is quoted",
                    "a schema is never executed, so nothing needs quotes",
                    f"write `{text}` without them" if len(text) < 60 else "",
                )
            case syntax.Name():
                return self._named(expr, expr.id, None, expr.span)
            case syntax.Subscript(value=syntax.Name() as head):
                return self._named(head, head.id, expr.items, expr.span)
            case syntax.Attribute() | syntax.Subscript(value=syntax.Attribute()):
                return self._dotted(expr)
            case syntax.Binary(operator="|"):
                return self._union(expr)
            case _:
                return self._wrong(
                    Code.NOT_A_TYPE, expr.span, "this is not a type", "expected a type", ""
                )

    def _wrong(self, code: Code, span: Span, message: str, label: str, help: str) -> None:
        self.names.scope.add(code, span, message, label, help)

    def _union(self, expr: syntax.Binary) -> Type | None:
        members: list[Type] = []
        complete = True
        for side in (expr.left, expr.right):
            member = self.resolve(side)
            if member is None:
                complete = False
                continue
            inner = member.members if isinstance(member, types.Union) else (member,)
            members.extend(m for m in inner if m not in members)
        if not complete:
            return None
        return members[0] if len(members) == 1 else types.Union(tuple(members), expr.span)

    def _named(
        self, head: syntax.Name, name: str, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        meaning = self.names.find(name)
        match meaning:
            case None:
                self._unknown(head)
                return None
            case Word():
                return self._word(meaning, head, items, span)
            case Outside():
                return self._outside(meaning.module, meaning.attribute, name, items, span)
            case Symbol():
                return self._symbol(meaning, head, items, span)

    def _unknown(self, head: syntax.Name) -> None:
        name = head.id
        if name in HOME_OF_WORD:
            self._wrong(
                Code.MISSING_IMPORT, head.span, f"`{name}` is not imported", "", import_help(name)
            )
            return
        candidates = sorted({*self.names.candidates(*_LEGAL_KINDS), *DTYPES, *KINDS, *TYPING})
        looks_like_dtype = name.rstrip("0123456789") in ("float", "int", "uint", "bfloat", "complex")
        nearest = "" if looks_like_dtype else did_you_mean(name, candidates)
        if looks_like_dtype:
            short = next((s for s, long in DTYPES.items() if long == name), "")
            self._wrong(
                Code.UNKNOWN_DTYPE,
                head.span,
                f"`{name}` is not a dtype",
                "dtypes are named as jaxprs name them",
                f"write `{short}`" if short else "such as `f32`, `bf16`, `i32`, `u8`, `key`",
            )
        elif any(f"`{word}`" in nearest for word in (*DTYPES, *KINDS)):
            self._wrong(Code.UNKNOWN_DTYPE, head.span, f"`{name}` is not a dtype", "", nearest)
        else:
            self._wrong(
                Code.UNKNOWN_NAME,
                head.span,
                f"`{name}` is not defined",
                "",
                import_help(name) or nearest or "declare it, or import it",
            )

    def _no_arguments(self, items: tuple[syntax.Expr, ...] | None, name: str, span: Span) -> bool:
        if items is None:
            return True
        self._wrong(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"`{name}` takes nothing in brackets",
            "",
            f"write `{name}` alone",
        )
        return False

    def _word(
        self, word: Word, head: syntax.Name, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        name = word.name
        if word.kind in ("dtype", "kind") or (name == "bool" and items is not None):
            dtype = DTYPES.get(name, name)
            return self._array(dtype, head.id, items, span)
        if word.kind == "builtin":
            return self._builtin(name, items, span)
        if word.kind == "any" and self._no_arguments(items, name, span):
            return types.Anything(span)
        if name == "dtype" and self._no_arguments(items, name, span):
            return types.DType(span)
        if word.kind == "callable":
            return self._callable(items, span)
        if word.kind == "literal":
            return self._literal(items, span)
        if word.kind == "frozendict":
            return self._mapping("frozendict", items, span)
        if word.kind == "role":
            self._wrong(
                Code.NESTED_ROLE,
                head.span,
                f"the role `{name}` stands inside a type",
                "a field has one role, outermost",
                "leave it out; parts with roles of their own need a class of their own",
            )
        elif word.kind != "unknown":
            self._wrong(Code.NOT_A_TYPE, head.span, f"`{head.id}` is not a type", "", "")
        return None

    def _array(
        self, dtype: str, written: str, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        shape = resolve_shape(self.names, self.dims, items or ())
        return None if shape is None else types.Array(dtype, written, shape, span)

    def _builtin(
        self, name: str, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        if name in SCALARS:
            # `int[n]` is a slip for `i32[n]`; `bool[n]` was an array already.
            return types.Scalar(name, span) if self._no_arguments(items, name, span) else None  # type: ignore[arg-type]
        if name == "set":
            return self._wrong(
                Code.MUTABLE_TYPE,
                span,
                "`set` is not a type of the language: it is mutable and no pytree",
                "",
                "write `frozenset[T]`",
            )
        if name == "tuple":
            return self._tuple(items, span)
        if name == "dict":
            return self._mapping("dict", items, span)
        if items is None or len(items) != 1:
            return self._needs(name, f"`{name}[T]`", span)
        element = self.resolve(items[0])
        if element is None:
            return None
        return types.Sequence("list" if name == "list" else "frozenset", element, span)

    def _needs(self, name: str, example: str, span: Span) -> None:
        self._wrong(
            Code.WRONG_TYPE_ARGUMENTS,
            span,
            f"`{name}` does not say what it holds",
            "",
            f"write {example}",
        )

    def _tuple(self, items: tuple[syntax.Expr, ...] | None, span: Span) -> Type | None:
        if not items:
            return self._needs("tuple", "`tuple[T, ...]` or `tuple[A, B]`", span)
        if len(items) == 1 and isinstance(items[0], syntax.Tuple) and not items[0].items:
            return types.FixedTuple((), span)
        last = items[-1]
        if len(items) == 2 and isinstance(last, syntax.Constant) and last.value is ...:
            element = self.resolve(items[0])
            return None if element is None else types.Sequence("tuple", element, span)
        elements = [self.resolve(item) for item in items]
        found = tuple(e for e in elements if e is not None)
        return types.FixedTuple(found, span) if len(found) == len(items) else None

    def _mapping(
        self, container: str, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        if items is None or len(items) != 2:
            return self._needs(container, f"`{container}[K, V]`", span)
        key, value = self.resolve(items[0]), self.resolve(items[1])
        if key is None or value is None:
            return None
        return types.Mapping("dict" if container == "dict" else "frozendict", key, value, span)

    def _callable(self, items: tuple[syntax.Expr, ...] | None, span: Span) -> Type | None:
        if items is None or len(items) != 2:
            return self._needs("Callable", "`Callable[[A, B], R]`", span)
        result = self.resolve(items[1])
        if isinstance(items[0], syntax.Constant) and items[0].value is ...:
            return None if result is None else types.Callable(None, result, span)
        if not isinstance(items[0], syntax.List):
            return self._needs("Callable", "`Callable[[A, B], R]`", items[0].span)
        parameters = [self.resolve(item) for item in items[0].items]
        found = tuple(p for p in parameters if p is not None)
        if result is None or len(found) != len(parameters):
            return None
        return types.Callable(found, result, span)

    def _literal(self, items: tuple[syntax.Expr, ...] | None, span: Span) -> Type | None:
        values: list[int | str | bytes | bool | None] = []
        for item in items or ():
            negative = isinstance(item, syntax.Unary) and item.operator == "-"
            constant = item.operand if isinstance(item, syntax.Unary) else item
            value = constant.value if isinstance(constant, syntax.Constant) else ...
            if value is ... or isinstance(value, float | complex):
                return self._wrong(
                    Code.NOT_A_TYPE,
                    item.span,
                    "`Literal` holds integers, strings, bytes, booleans and `None`",
                    "not one of them",
                    "",
                )
            values.append(-value if negative and isinstance(value, int) else value)
        return types.Literals(tuple(values), span) if values else self._needs(
            "Literal", '`Literal["a", "b"]`', span
        )

    def _symbol(
        self, symbol: Symbol, head: syntax.Name, items: tuple[syntax.Expr, ...] | None, span: Span
    ) -> Type | None:
        match symbol.decl:
            case AliasDecl():
                ok = self._no_arguments(items, head.id, span)
                return self.alias(symbol) if ok else None
            case ClassDecl():
                return self._class(symbol.ref, symbol.decl, items, span)
        if symbol.kind == "enum":
            ok = self._no_arguments(items, head.id, span)
            return types.EnumType(symbol.ref, span) if ok else None
        if symbol.kind == "type parameter":
            ok = self._no_arguments(items, head.id, span)
            return types.TypeParameter(head.id, span) if ok else None
        return self._wrong(
            Code.NOT_A_TYPE,
            head.span,
            f"`{head.id}` is a {symbol.kind}, not a type",
            "",
            f"dimensions stand in brackets: `f32[{head.id}]`"
            if symbol.kind == "dimension"
            else "",
        )

    def alias(self, symbol: Symbol) -> Type | None:
        """Resolve an alias where it is declared, so that its names mean what they mean there."""
        if symbol.ref in self.expanding:
            return self._wrong(
                Code.ALIAS_CYCLE,
                symbol.decl.span,
                f"the alias `{symbol.ref.name}` is defined by itself",
                "",
                "break the cycle with a class",
            )
        home = self.all_names[symbol.ref.module]
        decl = symbol.decl
        assert isinstance(decl, AliasDecl)
        inner = TypeResolver(home, self.all_names, expanding=[*self.expanding, symbol.ref])
        return inner.resolve(decl.type)

    def _class(
        self,
        ref: types.Ref,
        decl: ClassDecl,
        items: tuple[syntax.Expr, ...] | None,
        span: Span,
    ) -> Type | None:
        count_dims, count_types = len(decl.dims), len(self.generic_parameters(decl, ref.module))
        if items is None:
            return types.ClassType(ref, (), (), span)
        if len(items) != count_dims + count_types or not items:
            expected = [d.name for d in decl.dims]
            expected += self.generic_parameters(decl, ref.module)
            return self._wrong(
                Code.WRONG_TYPE_ARGUMENTS,
                span,
                f"`{ref.name}` takes {count_dims + count_types or 'nothing'} in brackets, "
                f"not {len(items)}",
                "",
                f"write `{ref.name}[{', '.join(expected)}]` in your terms"
                if expected
                else f"write `{ref.name}` alone, or declare `class {ref.name}(dims=(n,))`",
            )
        dims = resolve_shape(self.names, self.dims, items[:count_dims], parameters=True)
        arguments = [self.resolve(item) for item in items[count_dims:]]
        found = tuple(a for a in arguments if a is not None)
        if dims is None or len(found) != len(arguments):
            return None
        return types.ClassType(ref, dims, found, span)

    def generic_parameters(self, decl: ClassDecl, module: str) -> list[str]:
        """Return the names in `Generic[...]` among a class's bases."""
        words = self.all_names[module]
        for base in decl.bases:
            if isinstance(base, syntax.Subscript) and isinstance(base.value, syntax.Name):
                meaning = words.find(base.value.id)
                if isinstance(meaning, Word) and meaning.kind == "generic":
                    return [i.id for i in base.items if isinstance(i, syntax.Name)]
        return []

    def _outside(
        self,
        module: str,
        attribute: str,
        local: str,
        items: tuple[syntax.Expr, ...] | None,
        span: Span,
    ) -> Type | None:
        if not attribute:
            return self._wrong(
                Code.NOT_A_TYPE, span, f"`{local}` is a module, not a type", "", ""
            )
        arguments = [self.resolve(item) for item in items or ()]
        found = tuple(a for a in arguments if a is not None)
        if len(found) != len(arguments):
            return None
        return types.External(module, attribute, local, found, span)

    def _dotted(self, expr: syntax.Attribute | syntax.Subscript) -> Type | None:
        items = expr.items if isinstance(expr, syntax.Subscript) else None
        target = expr.value if isinstance(expr, syntax.Subscript) else expr
        names: list[str] = []
        while isinstance(target, syntax.Attribute):
            names.append(target.name)
            target = target.value
        root = target.id if isinstance(target, syntax.Name) else ""
        meaning = self.names.find(root)
        if not isinstance(meaning, Outside):
            what = f"`{root}`" if root else "this"
            return self._wrong(
                Code.NOT_A_TYPE if meaning or not root else Code.UNKNOWN_NAME,
                expr.span,
                f"{what} is no module from outside the schema",
                "",
                "only names of Python modules imported absolutely have attributes that are types",
            )
        path = ".".join(reversed(names))
        # `import a.b` binds `a`, and `a.b.C` is what `a.b` holds.
        below = meaning.module.removeprefix(f"{root}.")
        if not meaning.attribute and below != meaning.module:
            path = path.removeprefix(f"{below}.")
        attribute = f"{meaning.attribute}.{path}" if meaning.attribute else path
        return self._outside(meaning.module, attribute, f"{root}.{path}", items, expr.span)



