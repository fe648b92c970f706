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
from codegen.schema.stub import Assignment, Stub, bound_name, target
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
    owner: Ref | None = None  # in the body of a class or an enum
    parameters: frozenset[str] = frozenset()
    is_static: bool = True

    def at(self, named: Named, span: Span) -> Occurrence:
        return Occurrence(named, span, self.inside, self.is_static)


class SchemaNames:
    """The names of schemas without mistakes."""

    def __init__(
        self, program: Program, modules: Sequence[ModuleDecl], stubs: Sequence[Stub]
    ) -> None:
        self.program = program
        self.stubs = {stub.source.module: stub for stub in stubs}
        self.tables = resolve_names(tuple(modules))
        self.occurrences = [one for stub in stubs for one in self._in_module(stub)]

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

    def _in_module(self, stub: Stub) -> Iterator[Occurrence]:
        source = stub.source
        imports = [one for one in stub.tree.body if isinstance(one, ast.ImportFrom)]
        aliased = frozenset(
            bound_name(item) for one in imports for item in one.names if item.asname is not None
        )
        scope = _Scope(self.tables[source.module], source, aliased, Ref(source.module, ""))
        for statement in stub.tree.body:
            inside = Ref(source.module, _declared_name(statement))
            yield from self._walk(statement, replace(scope, inside=inside))

    def _walk(self, node: ast.AST, scope: _Scope) -> Iterator[Occurrence]:
        source, table = scope.source, scope.table
        match node:
            case ast.ImportFrom() if node.level:
                yield from _imported(node, scope)
            case ast.ClassDef():
                named = Named(scope.inside.module, node.name)
                yield replace(
                    scope.at(named, source.name_span(node)), declaration=node, is_saved=True
                )
                declared = self.program.classes.get(scope.inside)
                parameters = frozenset(declared.dims if declared else ())
                scope = replace(scope, owner=scope.inside, parameters=parameters)
            case ast.FunctionDef():
                if scope.owner is None or not is_migration(node):
                    yield self._declared(node, node.name, source.name_span(node), scope)
            case ast.Assign() | ast.AnnAssign():
                name = target(node)
                yield self._declared(node, name.id, source.span(name), scope)
                field = scope.owner and self.program.fields.get(scope.owner, {}).get(name.id)
                scope = replace(scope, is_static=not field or field.role == "static")
            case ast.Expr(value=ast.Call() as call) if table.kind(call.func) == "share":
                yield from self._shared(call, scope)
                return
            case ast.Name(ctx=ast.Load()):
                symbol = table.symbol(node)
                if node.id in scope.parameters:
                    yield scope.at(self.parameter(scope.inside, node.id), source.span(node))
                elif symbol is not None and node.id not in scope.aliased:
                    yield scope.at(_named(symbol), source.span(node))
            case ast.Attribute(value=ast.Name() as head):
                if enum := table.symbol(head, "enum"):
                    yield scope.at(self.member(enum.ref, node.attr), source.name_span(node))
            case ast.Call(func=ast.Name() as head):
                called = table.symbol(head, "class")
                for keyword in node.keywords if called else ():
                    if called and keyword.arg:
                        named = self.member(called.ref, keyword.arg)
                        yield scope.at(named, source.name_span(keyword))
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            yield from self._walk(child, scope)

    def _declared(self, node: ast.stmt, name: str, span: Span, scope: _Scope) -> Occurrence:
        """Return the name of an assignment or a function, in a module or in a class."""
        if scope.owner is None:
            named = Named(scope.inside.module, name)
            is_saved = self.is_dimension(named)
        else:
            named = self.member(scope.owner, name)
            fields = self.program.fields.get(scope.owner)
            is_saved = fields is None or (name in fields and fields[name].owner == scope.owner)
        return replace(scope.at(named, span), declaration=node, is_saved=is_saved)

    def _shared(self, call: ast.Call, scope: _Scope) -> Iterator[Occurrence]:
        assert scope.owner is not None, "it is in a class"
        for path in call.args:
            found: list[Occurrence] = []
            self._path(path, SharedPart(self.program.classes[scope.owner]), scope, found)
            yield from found

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
        found.append(scope.at(self.member(part.node.ref, name), span))
        return field_part(self.program, part, name)


def _imported(statement: ast.ImportFrom, scope: _Scope) -> Iterator[Occurrence]:
    for item in statement.names:
        symbol = scope.table.symbol(bound_name(item))
        if symbol is not None:
            whole = scope.source.span(item)
            end = whole.start + len(whole.text.split()[0])
            yield scope.at(_named(symbol), scope.source.at(whole.start, end))


def _named(symbol: Symbol) -> Named:
    return Named(symbol.ref.module, symbol.ref.name)


def _declared_name(statement: ast.stmt) -> str:
    if isinstance(statement, Assignment):
        return target(statement).id
    return statement.name if isinstance(statement, ast.ClassDef | ast.FunctionDef) else ""
