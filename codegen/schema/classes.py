"""Read classes: options, fields, constants, methods, shares and migrations.

class Grid(use="static"):       ->    ClassDecl("Grid", use="static",
    nx: static[int]                       fields=(FieldDecl("nx", ...),))
"""

from __future__ import annotations

import ast
import re

from msgspec import Struct, field

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.fields import decode_constant, decode_field, is_constant
from codegen.schema.functions import decode_decorators, decode_function
from codegen.schema.names import check_name, check_twice, former_names
from codegen.schema.nodes import (
    ClassConstant,
    ClassDecl,
    DimParameterDecl,
    FieldDecl,
    FunctionDecl,
    MigrationDecl,
    PathDecl,
    Ref,
    Registration,
    ReservedDecl,
    ShareDecl,
    Use,
)
from codegen.schema.scope import Scope, listed
from codegen.schema.stub import (
    Assignment,
    constant,
    elements,
    name_of,
    parameters,
    statements,
    texts,
)
from codegen.source import NOWHERE, Span

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
    constants: list[ClassConstant[ast.expr, ast.expr]] = field(
        default_factory=list[ClassConstant[ast.expr, ast.expr]]
    )
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


def decode_class(scope: Scope, node: ast.ClassDef) -> ClassDecl:
    """Read a class."""
    for decorator in node.decorator_list:
        _decorator(scope, node, decorator)
    options = _Options()
    for keyword in node.keywords:
        _option(scope, keyword, options)
    body = _Body()
    for statement in statements(node.body):
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
        ref=Ref(scope.source.module, node.name),
        bases=tuple(node.bases),
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
        doc=scope.doc(node),
        was=former_names(scope, node, may_move=True),
        span=scope.source.name_span(node),
        use_span=options.use_span,
    )


def _decorator(scope: Scope, node: ast.ClassDef, decorator: ast.expr) -> None:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if scope.kind(target) == "unknown":
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        decorator,
        f"the class `{node.name}` has a decorator",
        label="not part of the language",
        advice="leave it out: every class becomes a frozen dataclass and a pytree; options stand "
        f"in the parentheses: `class {node.name}(kw_only=True)`",
    )


def _option(scope: Scope, keyword: ast.keyword, options: _Options) -> None:
    value, name = keyword.value, keyword.arg or ""
    given = constant(value)
    if name == "dims":
        options.dims = _dims(scope, value)
    elif name in _FLAGS and isinstance(given, bool):
        setattr(options, name, given)
    elif name == "use" and given in ("static", "dynamic"):
        options.use = "static" if given == "static" else "dynamic"
        options.use_span = scope.source.span(value)
    elif name == "registration" and given in ("exact", "jax"):
        options.registration = "exact" if given == "exact" else "jax"
    elif name in _VALUES:
        scope.add(
            Code.WRONG_OPTION,
            value,
            f"the class option `{name}` cannot have this value",
            label=f"expected {_VALUES[name]}",
            advice=f"write {_example(name)}, or leave the option out",
        )
    else:
        scope.add(
            Code.UNKNOWN_OPTION,
            scope.source.name_span(keyword),
            f"classes have no option `{name}`",
            label="unknown option",
            advice=_HABITS.get(name)
            or did_you_mean(name, _VALUES, f"options are {listed(_VALUES)}"),
        )


def _example(name: str) -> str:
    if name == "eq":
        return "`eq=False`"
    return f"`{name}={'True' if name in _FLAGS else _VALUES[name].split('`')[1]}`"


def _dims(scope: Scope, value: ast.expr) -> tuple[DimParameterDecl, ...]:
    given = elements(value)
    named = [one for one in given if isinstance(one, ast.Name)]
    names = [DimParameterDecl(one.id, scope.source.span(one)) for one in named]
    if len(names) != len(given) or not names:
        scope.add(
            Code.WRONG_OPTION,
            value,
            "`dims` is a tuple of names",
            label="expected names",
            advice="write `dims=(n_in, n_out)`, or `dims=(n,)` for a single one",
        )
    for parameter in names:
        check_name(scope, parameter.name, parameter.span, "dimension")
    check_twice(scope, [(n.name, n.span) for n in names], "`dims`")
    return tuple(names)


def _member(scope: Scope, statement: ast.stmt, body: _Body) -> None:
    if isinstance(statement, Assignment):
        if is_constant(scope, statement):
            constant = decode_constant(scope, statement)
            body.constants.extend([constant] if constant else [])
        else:
            declared_field = decode_field(scope, statement)
            body.fields.extend([declared_field] if declared_field else [])
    elif isinstance(statement, ast.FunctionDef) and is_migration(statement):
        migration = decode_migration(scope, statement)
        body.migrations.extend([migration] if migration else [])
    elif isinstance(statement, ast.FunctionDef):
        method = decode_function(scope, statement, in_class=True)
        body.methods.extend([method] if method else [])
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        declared = decode_call(scope, statement.value)
        if isinstance(declared, ShareDecl):
            body.shares.append(declared)
        else:
            body.reserved.extend(declared)
    else:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            scope.source.name_span(statement) if isinstance(statement, ast.ClassDef) else statement,
            "a class stands inside a class"
            if isinstance(statement, ast.ClassDef)
            else "an import stands inside a class",
            label="a class holds fields, constants, methods, `share` and `reserved`",
            advice="move it out, to the module",
        )


_CALLS = ("share", "reserved")


def decode_call(scope: Scope, call: ast.Call) -> ShareDecl | tuple[ReservedDecl, ...]:
    """Read a call that stands alone in a class; an empty tuple where it declares nothing."""
    match scope.kind(call.func):
        case "share":
            return _share(scope, call) or ()
        case "reserved":
            return _reserved(scope, call)
        case _:
            _refuse(scope, call.func)
            return ()


def _reserved(scope: Scope, call: ast.Call) -> tuple[ReservedDecl, ...]:
    named = [(one, constant(one)) for one in call.args]
    found = [ReservedDecl(t, scope.source.span(one)) for one, t in named if isinstance(t, str)]
    wrong = [one for one, text in named if not isinstance(text, str) or not text.isidentifier()]
    if not named or wrong or call.keywords:
        scope.add(
            Code.WRONG_RESERVED,
            wrong[0] if wrong else call,
            "`reserved` takes the names of fields that there were, as strings",
            label="no name in quotes" if wrong else "expected names",
            advice='write `reserved("old_name")`',
        )
        return ()
    return tuple(found)


def _share(scope: Scope, call: ast.Call) -> ShareDecl | None:
    paths = [PathDecl(_parts(expr), scope.source.span(expr)) for expr in call.args]
    wrong = next((path.span for path in paths if not path.parts), None)
    if len(paths) < 2 or call.keywords or wrong is not None:
        scope.add(
            Code.WRONG_SHARE,
            wrong or call,
            "`share` takes two or more paths of attributes",
            label="not a path" if wrong else "expected paths",
            advice=_instead(call),
        )
        return None
    return ShareDecl(tuple(paths), scope.source.span(call))


def _instead(call: ast.Call) -> str:
    names = texts(call.args)
    if len(names) == len(call.args) >= 2 and all(
        part.isidentifier() for name in names for part in name.split(".")
    ):
        return f"leave the quotes out: `share({', '.join(names)})`"
    return "write `share(embed, encoder.embed)`: the first owns the shared part"


def _refuse(scope: Scope, function: ast.expr) -> None:
    name = name_of(function)
    if scope.kind(function) == "unknown":
        return
    if name in _CALLS and name not in scope.declared:
        scope.missing_import(name, function)
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        function,
        "a call stands alone in a class",
        label="only `share(...)` and `reserved(...)` may",
        advice=did_you_mean(name, _CALLS, "a class is never executed; leave the call out"),
    )


def _parts(expr: ast.expr) -> tuple[str, ...]:
    """The attributes of a path, none where it is no path."""
    if isinstance(expr, ast.Name):
        return (expr.id,)
    head = _parts(expr.value) if isinstance(expr, ast.Attribute) else ()
    return (*head, expr.attr) if head and isinstance(expr, ast.Attribute) else ()


_DIGITS = re.compile(r"[0-9a-f]{8,64}")


def is_migration(node: ast.FunctionDef) -> bool:
    """Whether a function in a class is none of its methods."""
    return node.name == "migrate" and [one.name for one in parameters(node)] == ["since"]


def decode_migration(scope: Scope, node: ast.FunctionDef) -> MigrationDecl | None:
    """Read one; None where it has a mistake."""
    impl, _ = decode_decorators(scope, node, in_class=True)
    (parameter,) = parameters(node)
    since = constant(parameter.default)
    if not isinstance(since, str) or not _DIGITS.fullmatch(since):
        scope.add(
            Code.WRONG_OPTION,
            parameter.default or parameter.node,
            "`since` is no digest of a class",
            label="expected eight hexadecimal digits, as a string",
            advice='write the digits that the error of `unpack` says, as `since="3f2a9c01"`',
        )
        return None
    return None if impl is None else MigrationDecl(since, impl, scope.source.name_span(node))
