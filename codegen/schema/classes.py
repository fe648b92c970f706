"""Read classes: options, fields, constants, methods, shares and migrations.

class Grid(use="static"):       ->    ClassDecl("Grid", use="static",
    nx: static[int]                       fields=(FieldDecl("nx", ...),))
"""

from __future__ import annotations

from msgspec import Struct, field

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.fields import decode_constant, decode_field, is_constant
from codegen.schema.functions import decode_function
from codegen.schema.migrations import decode_migration, is_migration
from codegen.schema.names import check_name, check_twice
from codegen.schema.nodes import (
    ClassDecl,
    ConstantDecl,
    DimParameterDecl,
    FieldDecl,
    FunctionDecl,
    MigrationDecl,
    Registration,
    ReservedDecl,
    ShareDecl,
    Use,
)
from codegen.schema.renames import former_names
from codegen.schema.scope import Scope, listed
from codegen.schema.shares import decode_call
from codegen.source import NOWHERE, Span
from codegen.syntax import nodes as syntax

_VALUES = {
    "abstract": "`True` or `False`",
    "dims": "a tuple of names",
    "eq": "`True` or `False`",
    "kw_only": "`True` or `False`",
    "draft": "`True` or `False`",
    "registration": '`"exact"` or `"jax"`',
    "use": '`"static"` or `"dynamic"`',
}
_FLAGS = ("abstract", "draft", "eq", "kw_only")
_HABITS = {
    "frozen": "leave it out: every class is frozen",
    "slots": "leave it out: every class has slots",
    "metaclass": "leave it out: an abstract class is `class Model(abstract=True)`",
}


class _Body(Struct):
    fields: list[FieldDecl] = field(default_factory=list[FieldDecl])
    constants: list[ConstantDecl] = field(default_factory=list[ConstantDecl])
    methods: list[FunctionDecl] = field(default_factory=list[FunctionDecl])
    shares: list[ShareDecl] = field(default_factory=list[ShareDecl])
    reserved: list[ReservedDecl] = field(default_factory=list[ReservedDecl])
    migrations: list[MigrationDecl] = field(default_factory=list[MigrationDecl])


class _Options(Struct):
    dims: tuple[DimParameterDecl, ...] = ()
    abstract: bool = False
    eq: bool = True
    kw_only: bool | None = None
    draft: bool = False
    use: Use | None = None
    use_span: Span = NOWHERE
    registration: Registration | None = None


def decode_class(scope: Scope, node: syntax.Class) -> ClassDecl:
    """Read a class."""
    for decorator in node.decorators:
        _decorator(scope, node, decorator)
    options = _Options()
    for keyword in node.keywords:
        _option(scope, keyword, options)
    body = _Body()
    for statement in node.body:
        _member(scope, statement, body)
    named = [("field", f.name, f.span) for f in body.fields]
    named += [("constant", c.name, c.span) for c in body.constants]
    named += [("method", m.name, m.span) for m in body.methods]
    for what, name, span in named:
        check_name(scope, name, span, what, member=True)
    check_twice(scope, [(name, span) for _, name, span in named], f"the class `{node.name}`")
    check_twice(scope, [(r.name, r.span) for r in body.reserved], "`reserved`")
    check_twice(scope, [(m.since, m.span) for m in body.migrations], "`migrate`")
    return ClassDecl(
        name=node.name,
        bases=node.bases,
        dims=options.dims,
        abstract=options.abstract,
        eq=options.eq,
        use=options.use,
        kw_only=options.kw_only,
        draft=options.draft,
        registration=options.registration,
        fields=tuple(body.fields),
        constants=tuple(body.constants),
        methods=tuple(body.methods),
        shares=tuple(body.shares),
        reserved=tuple(body.reserved),
        migrations=tuple(body.migrations),
        doc=node.doc,
        was=former_names(scope, node, may_move=True),
        span=node.name_span,
        use_span=options.use_span,
    )


def _decorator(scope: Scope, node: syntax.Class, decorator: syntax.Expr) -> None:
    target = decorator.function if isinstance(decorator, syntax.Call) else decorator
    if scope.kind(target) == "unknown":
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        decorator.span,
        f"the class `{node.name}` has a decorator",
        label="not part of the language",
        advice="leave it out: every class becomes a frozen dataclass and a pytree; options stand "
        f"in the parentheses: `class {node.name}(kw_only=True)`",
    )


def _option(scope: Scope, keyword: syntax.Keyword, options: _Options) -> None:
    value = keyword.value
    constant = value.value if isinstance(value, syntax.Constant) else None
    if keyword.name == "dims":
        options.dims = _dims(scope, value)
    elif keyword.name == "abstract" and isinstance(constant, bool):
        options.abstract = constant
    elif keyword.name == "eq" and isinstance(constant, bool):
        options.eq = constant
    elif keyword.name == "kw_only" and isinstance(constant, bool):
        options.kw_only = constant
    elif keyword.name == "draft" and isinstance(constant, bool):
        options.draft = constant
    elif keyword.name == "use" and constant in ("static", "dynamic"):
        options.use = "static" if constant == "static" else "dynamic"
        options.use_span = value.span
    elif keyword.name == "registration" and constant in ("exact", "jax"):
        options.registration = "exact" if constant == "exact" else "jax"
    elif keyword.name in _VALUES:
        scope.add(
            Code.WRONG_OPTION,
            value.span,
            f"the class option `{keyword.name}` cannot have this value",
            label=f"expected {_VALUES[keyword.name]}",
            advice=f"write {_example(keyword.name)}, or leave the option out",
        )
    else:
        scope.add(
            Code.UNKNOWN_OPTION,
            keyword.name_span,
            f"classes have no option `{keyword.name}`",
            label="unknown option",
            advice=_HABITS.get(keyword.name)
            or did_you_mean(keyword.name, _VALUES, f"options are {listed(_VALUES)}"),
        )


def _example(name: str) -> str:
    if name == "eq":
        return "`eq=False`"
    return f"`{name}={'True' if name in _FLAGS else _VALUES[name].split('`')[1]}`"


def _dims(scope: Scope, value: syntax.Expr) -> tuple[DimParameterDecl, ...]:
    items = value.items if isinstance(value, syntax.Tuple) else (value,)
    names = [DimParameterDecl(i.id, i.span) for i in items if isinstance(i, syntax.Name)]
    if len(names) != len(items) or not names:
        scope.add(
            Code.WRONG_OPTION,
            value.span,
            "`dims` is a tuple of names",
            label="expected names",
            advice="write `dims=(n_in, n_out)`, or `dims=(n,)` for a single one",
        )
    for parameter in names:
        check_name(scope, parameter.name, parameter.span, "dimension")
    check_twice(scope, [(n.name, n.span) for n in names], "`dims`")
    return tuple(names)


def _member(scope: Scope, statement: syntax.Stmt, body: _Body) -> None:
    if isinstance(statement, syntax.Assign):
        if is_constant(scope, statement):
            constant = decode_constant(scope, statement)
            body.constants.extend([constant] if constant else [])
        else:
            declared_field = decode_field(scope, statement)
            body.fields.extend([declared_field] if declared_field else [])
    elif isinstance(statement, syntax.Function) and is_migration(statement):
        migration = decode_migration(scope, statement)
        body.migrations.extend([migration] if migration else [])
    elif isinstance(statement, syntax.Function):
        method = decode_function(scope, statement, in_class=True)
        body.methods.extend([method] if method else [])
    elif isinstance(statement, syntax.Expression):
        declared = decode_call(scope, statement.value)
        if isinstance(declared, ShareDecl):
            body.shares.append(declared)
        else:
            body.reserved.extend(declared)
    else:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.name_span if isinstance(statement, syntax.Class) else statement.span,
            "a class stands inside a class"
            if isinstance(statement, syntax.Class)
            else "an import stands inside a class",
            label="a class holds fields, constants, methods, `share` and `reserved`",
            advice="move it out, to the module",
        )
