"""Every name in the schemas, with the declaration that it refers to.

    scheme: static[Scheme] = Scheme.EXPLICIT

    Occurrence(Named("heat", "scheme", "Plate"), <scheme>), Occurrence(Named("heat", "Scheme"), <Scheme>),
    Occurrence(Named("heat", "Scheme"), <Scheme>), Occurrence(Named("heat", "EXPLICIT", "Scheme"), <EXPLICIT>)

Names of the schema language, of Python modules and of parameters of functions are not among them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from codegen.check.shared_parts import SharedPart, field_part
from codegen.program.names import NameTable, Symbol, resolve_names
from codegen.program.nodes import Program
from codegen.program.types import Ref
from codegen.schema.classes import is_migration
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Assignment, Stub, bound_name, statements, target
from codegen.source import Source, Span


class Named(Struct, frozen=True, order=True):
    """A declaration. A member belongs to the class that declares it first, above its subclasses."""

    module: str
    name: str
    owner: str = ""
    """The class or enum of a member."""
    is_parameter: bool = False
    """Whether it is a dimension in `dims=` of a class."""

    def __str__(self) -> str:
        """Format it as the command takes it."""
        return ".".join(filter(None, (self.module, self.owner, self.name)))


class Occurrence(Struct, frozen=True):
    """A place where the name of a declaration appears."""

    named: Named
    span: Span
    inside: Ref
    """The declaration of the module that contains it."""
    is_static: bool = True
    """Whether it is outside of dynamic and donated fields."""
    declaration: ast.stmt | None = None
    """The statement, if it declares the name."""
    is_saved: bool = False
    """Whether it declares a name that is saved with data."""


class _Scope(Struct, frozen=True):
    """What the names at one place mean."""

    table: NameTable
    source: Source
    aliased: frozenset[str]  # the names bound by `import ... as`
    inside: Ref
    parameters: frozenset[str] = frozenset()
    is_static: bool = True

    def found(
        self,
        named: Named,
        span: Span,
        declaration: ast.stmt | None = None,
        *,
        is_saved: bool = False,
    ) -> Occurrence:
        return Occurrence(named, span, self.inside, self.is_static, declaration, is_saved)


class SchemaNames:
    """The names of schemas without mistakes."""

    def __init__(
        self, program: Program, modules: Sequence[ModuleDecl], stubs: Sequence[Stub]
    ) -> None:
        self.program = program
        self.stubs = {stub.source.module: stub for stub in stubs}
        self.tables = resolve_names(tuple(modules))
        self.occurrences = [one for stub in stubs for one in self._module(stub)]

    def member(self, ref: Ref, name: str) -> Named:
        """Return the member of a class or an enum, under the class that declares it first."""
        node = self.program.classes.get(ref)
        while node is not None:
            if any(one.name == name for one in node.members):
                ref = node.ref
            node = self.program.classes[node.base.ref] if node.base else None
        return Named(ref.module, name, ref.name)

    def parameter(self, ref: Ref, name: str) -> Named:
        """Return a dimension of `dims=`; a base without brackets passes its own on."""
        node = self.program.classes[ref]
        while node.base is not None:
            base = self.program.classes[node.base.ref]
            if name not in base.dims[len(node.base.dims) :]:
                break
            node = base
        return Named(node.ref.module, name, node.ref.name, is_parameter=True)

    def symbol(self, named: Named) -> Symbol | None:
        """Return the declaration in a module; None for a member."""
        return None if named.owner else self.tables[named.module].symbol(named.name)

    def is_dimension(self, named: Named) -> bool:
        """Return whether a declaration is a `Dim()` of a module."""
        symbol = self.symbol(named)
        return symbol is not None and symbol.kind == "dimension"

    # --- statements

    def _module(self, stub: Stub) -> Iterator[Occurrence]:
        source = stub.source
        imports = [one for one in stub.tree.body if isinstance(one, ast.ImportFrom)]
        aliased = frozenset(
            bound_name(item) for one in imports for item in one.names if item.asname is not None
        )
        scope = _Scope(self.tables[source.module], source, aliased, Ref(source.module, ""))
        for statement in stub.tree.body:
            name = _declared_name(statement)
            yield from self._statement(statement, replace(scope, inside=Ref(source.module, name)))

    def _statement(self, statement: ast.stmt, scope: _Scope) -> Iterator[Occurrence]:
        match statement:
            case ast.ImportFrom() if statement.level:
                for item in statement.names:
                    symbol = scope.table.symbol(bound_name(item))
                    if symbol is not None:
                        whole = scope.source.span(item)
                        length = len(whole.text.split()[0])
                        span = scope.source.at(whole.start, whole.start + length)
                        yield scope.found(Named(symbol.ref.module, symbol.ref.name), span)
            case ast.ClassDef():
                yield from self._class(statement, scope)
            case ast.FunctionDef():
                named = Named(scope.inside.module, statement.name)
                yield scope.found(named, scope.source.name_span(statement), statement)
                yield from self._children(statement, scope)
            case ast.Assign() | ast.AnnAssign():
                name = target(statement)
                named = Named(scope.inside.module, name.id)
                is_saved = self.is_dimension(named)
                yield scope.found(named, scope.source.span(name), statement, is_saved=is_saved)
                if statement.value is not None:
                    yield from self._expression(statement.value, scope)
            case _:
                pass

    def _class(self, node: ast.ClassDef, scope: _Scope) -> Iterator[Occurrence]:
        named = Named(scope.inside.module, node.name)
        yield scope.found(named, scope.source.name_span(node), node, is_saved=True)
        declared = self.program.classes.get(scope.inside)
        if declared is not None:
            scope = replace(scope, parameters=frozenset(declared.dims))
        for part in (*node.bases, *node.keywords):
            yield from self._expression(part, scope)
        for statement in statements(node.body):
            yield from self._member(statement, scope)

    def _member(self, statement: ast.stmt, scope: _Scope) -> Iterator[Occurrence]:
        ref = scope.inside
        node = self.program.classes.get(ref)
        match statement:
            case ast.Expr(value=ast.Call() as call):
                if scope.table.kind(call.func) == "share" and node is not None:
                    for path in call.args:
                        found: list[Occurrence] = []
                        self._path(path, SharedPart(node), scope, found)
                        yield from found
            case ast.FunctionDef():
                if not is_migration(statement):
                    named = self.member(ref, statement.name)
                    yield scope.found(named, scope.source.name_span(statement), statement)
                yield from self._children(statement, scope)
            case ast.Assign() | ast.AnnAssign():
                name = target(statement)
                field = self.program.fields.get(ref, {}).get(name.id)
                is_saved = node is None or (field is not None and field.owner == ref)
                named, span = self.member(ref, name.id), scope.source.span(name)
                yield scope.found(named, span, statement, is_saved=is_saved)
                is_static = field is None or field.role == "static"
                yield from self._parts(statement, replace(scope, is_static=is_static))
            case _:
                pass

    def _parts(self, statement: Assignment, scope: _Scope) -> Iterator[Occurrence]:
        if isinstance(statement, ast.AnnAssign):
            yield from self._expression(statement.annotation, scope)
        if statement.value is not None:
            yield from self._expression(statement.value, scope)

    # --- expressions

    def _children(self, node: ast.AST, scope: _Scope) -> Iterator[Occurrence]:
        for child in ast.iter_child_nodes(node):
            yield from self._expression(child, scope)

    def _expression(self, node: ast.AST, scope: _Scope) -> Iterator[Occurrence]:
        symbol = scope.table.symbol(node) if isinstance(node, ast.Name) else None
        match node:
            case ast.Name(id=name) if name in scope.parameters:
                yield scope.found(self.parameter(scope.inside, name), scope.source.span(node))
            case ast.Name(id=name):
                if symbol is not None and name not in scope.aliased:
                    named = Named(symbol.ref.module, symbol.ref.name)
                    yield scope.found(named, scope.source.span(node))
            case ast.Attribute(value=ast.Name() as head):
                yield from self._expression(head, scope)
                if enum := scope.table.symbol(head, "enum"):
                    named = self.member(enum.ref, node.attr)
                    yield scope.found(named, scope.source.name_span(node))
            case ast.Call(func=ast.Name() as head, keywords=keywords):
                called = scope.table.symbol(head, "class")
                for part in (head, *node.args):
                    yield from self._expression(part, scope)
                for keyword in keywords:
                    if called is not None and keyword.arg is not None:
                        named = self.member(called.ref, keyword.arg)
                        yield scope.found(named, scope.source.name_span(keyword))
                    yield from self._expression(keyword.value, scope)
            case _:
                yield from self._children(node, scope)

    def _path(
        self, path: ast.expr, part: SharedPart, scope: _Scope, found: list[Occurrence]
    ) -> SharedPart:
        """Add the fields on a path of `share(...)`; return the part that it leads to."""
        if isinstance(path, ast.Attribute):
            part = self._path(path.value, part, scope, found)
            name, span = path.attr, scope.source.name_span(path)
        else:
            assert isinstance(path, ast.Name), "paths were checked"
            name, span = path.id, scope.source.span(path)
        assert part.node is not None, "paths were checked"
        found.append(scope.found(self.member(part.node.ref, name), span))
        return field_part(self.program, part, name)


def _declared_name(statement: ast.stmt) -> str:
    if isinstance(statement, Assignment):
        return target(statement).id
    return statement.name if isinstance(statement, ast.ClassDef | ast.FunctionDef) else ""
