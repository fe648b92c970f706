"""Read classes and enums.

class Grid(use="static"):       ->    ClassDecl("Grid", use="static",
    nx: static[int]                       fields=(FieldDecl("nx", ...),))
class Scheme(Enum):             ->    Enum("Scheme", "Enum", (Member("EXPLICIT", ...),))
    EXPLICIT = "explicit"
"""

from __future__ import annotations

import ast
import re
from functools import partial
from typing import Final, TypeAlias

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.fields import decode_constant, decode_field, is_constant
from codegen.schema.functions import decode_decorators, decode_function
from codegen.schema.names import check_duplicates, check_name, former_names
from codegen.schema.nodes import (
    ClassConstant,
    ClassDecl,
    Enum,
    FieldDecl,
    Function,
    FunctionDecl,
    Member,
    MigrationDecl,
    NameDecl,
    PathDecl,
    Ref,
    ShareDecl,
)
from codegen.schema.scope import Option, Refused, Scope, accepted, flag, listed
from codegen.schema.stub import (
    dotted,
    elements,
    literal_value,
    name_of,
    parameters,
    statements,
    target,
)
from codegen.schema.vocabulary import ENUMS
from codegen.source import NOWHERE, Located, Span

# The options of a class except `dims`.
_OPTIONS: Final = {
    **{name: flag(f"{name}=True") for name in ("abstract", "draft", "kw_only", "sort_leaves")},
    "eq": flag("eq=False"),
    "init": flag("init=False"),
    "use": Option(
        lambda value: value in ("static", "dynamic"), '`"static"` or `"dynamic"`', 'use="static"'
    ),
}
_HABITS: Final = {
    "frozen": "remove `frozen`: every class is frozen",
    "slots": "remove `slots`: every class has slots",
    "registration": "`registration` was removed: every class has the exact registration. Remove it",
    "metaclass": "remove `metaclass`. For an abstract class, write `abstract=True` instead",
}
_CALLS: Final = ("share", "reserved")
_DIGITS: Final = re.compile(r"[0-9a-f]{8,64}")

_Member: TypeAlias = (
    FieldDecl
    | ClassConstant[ast.expr, ast.expr]
    | FunctionDecl
    | MigrationDecl
    | ShareDecl
    | tuple[NameDecl, ...]
)


def decode_class(scope: Scope, node: ast.ClassDef) -> ClassDecl:
    """Read a class."""
    for decorator in node.decorator_list:
        _refuse_decorator(scope, node, decorator)
    keywords = {one.arg: one.value for one in node.keywords}
    dims = _dims(scope, keywords["dims"]) if "dims" in keywords else ()
    options = scope.options(
        [one for one in node.keywords if one.arg != "dims"],
        _OPTIONS,
        "a class",
        f"the options are {listed(sorted((*_OPTIONS, 'dims')))}",
        _HABITS,
    )
    use_span = scope.source.span(keywords["use"]) if "use" in options else NOWHERE
    members = accepted(partial(_member, scope), statements(node.body))
    fields = [one for one in members if isinstance(one, FieldDecl)]
    constants = [one for one in members if isinstance(one, ClassConstant)]
    methods = [one for one in members if isinstance(one, Function)]
    migrations = [one for one in members if isinstance(one, MigrationDecl)]
    reserved = [name for one in members if isinstance(one, tuple) for name in one]
    named = [("field", f.name, f.span) for f in fields]
    named += [("constant", c.name, c.span) for c in constants]
    named += [("method", m.name, m.span) for m in methods]
    for what, name, span in named:
        check_name(scope, name, span, what, member=True)
    check_duplicates(scope, [(name, span) for _, name, span in named], f"the class `{node.name}`")
    check_duplicates(scope, [(r.name, r.span) for r in reserved], "`reserved`")
    check_duplicates(scope, [(m.since, m.span) for m in migrations], "`migrate`")
    return ClassDecl(
        ref=Ref(scope.source.module, node.name),
        bases=tuple(node.bases),
        dims=dims,
        fields=tuple(fields),
        constants=tuple(constants),
        methods=tuple(methods),
        shares=tuple(one for one in members if isinstance(one, ShareDecl)),
        reserved=tuple(reserved),
        migrations=tuple(migrations),
        doc=scope.doc(node),
        was=former_names(scope, node, may_move=True),
        span=scope.source.name_span(node),
        use_span=use_span,
        **options,
    )


def _refuse_decorator(scope: Scope, node: ast.ClassDef, decorator: ast.expr) -> None:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if scope.kind(target) != "unknown":
        scope.outside_language(
            decorator,
            f"the class `{node.name}` cannot have a decorator",
            label="not part of the schema language",
            advice="remove the decorator: every class becomes a frozen dataclass and a pytree. "
            f"Write options in parentheses, for example `class {node.name}(kw_only=True)`",
        )


def _dims(scope: Scope, value: ast.expr) -> tuple[NameDecl, ...]:
    items = elements(value)
    named = [one for one in items if isinstance(one, ast.Name)]
    names = [NameDecl(one.id, span=scope.source.span(one)) for one in named]
    if len(names) != len(items) or not names:
        scope.add(
            Code.WRONG_OPTION,
            value,
            "`dims` must be a tuple of names",
            label="expected names",
            advice="write, for example, `dims=(n_in, n_out)`, or `dims=(n,)` for one dimension",
        )
    for parameter in names:
        check_name(scope, parameter.name, parameter.span, "dimension")
    check_duplicates(scope, [(n.name, n.span) for n in names], "`dims`")
    return tuple(names)


def _member(scope: Scope, statement: ast.stmt) -> _Member:
    match statement:
        case ast.Assign() | ast.AnnAssign():
            is_field = not is_constant(scope, statement)
            return decode_field(scope, statement) if is_field else decode_constant(scope, statement)
        case ast.FunctionDef():
            if is_migration(statement):
                return decode_migration(scope, statement)
            return decode_function(scope, statement, in_class=True)
        case ast.Expr(value=ast.Call() as call):
            return _call(scope, call)
        case ast.ClassDef():
            where, what, name = scope.source.name_span(statement), "a class", f"`{statement.name}`"
        case _:
            where, what, name = scope.source.span(statement), "an import", "the import"
    raise scope.outside_language(
        where,
        f"a class cannot contain {what}",
        label="only fields, constants, methods, `share` and `reserved` are allowed here",
        advice=f"move {name} to the top level of the module",
    )


def _call(scope: Scope, call: ast.Call) -> ShareDecl | tuple[NameDecl, ...]:
    """Read a call in the body of a class."""
    function, name = call.func, name_of(call.func)
    match scope.kind(function):
        case "share":
            return _share(scope, call)
        case "reserved":
            return _reserved(scope, call)
        case "unknown":
            raise Refused
    raise scope.outside_language(
        function,
        "a class cannot contain this call",
        label="only `share(...)` and `reserved(...)` are allowed",
        advice=did_you_mean(name, _CALLS, "remove the call: a schema is never run"),
    )


def _reserved(scope: Scope, call: ast.Call) -> tuple[NameDecl, ...]:
    named = [(one, literal_value(one)) for one in call.args]
    names = [NameDecl(t, span=scope.source.span(one)) for one, t in named if isinstance(t, str)]
    wrong = [one for one, text in named if not isinstance(text, str) or not text.isidentifier()]
    if not named or wrong or call.keywords:
        former = (wrong and name_of(wrong[0])) or "old_name"
        raise scope.refused(
            Code.WRONG_RESERVED,
            wrong[0] if wrong else call,
            "`reserved` needs the names of former fields, as strings",
            label="not a name in quotes" if wrong else "expected only names in quotes",
            advice=f'write, for example, `reserved("{former}")`',
        )
    return tuple(names)


def _share(scope: Scope, call: ast.Call) -> ShareDecl:
    paths = [PathDecl(tuple(dotted(expr)), span=scope.source.span(expr)) for expr in call.args]
    wrong = next((path.span for path in paths if not path.parts[0]), None)
    if len(paths) < 2 or call.keywords or wrong is not None:
        raise scope.refused(
            Code.WRONG_SHARE,
            wrong or call,
            "`share` needs two or more paths of attributes",
            label="not a path" if wrong else "expected only paths, at least two",
            advice="write, for example, `share(embed, encoder.embed)`, without quotes. The first path "
            "owns the shared object",
        )
    return ShareDecl(tuple(paths), span=scope.source.span(call))


def is_migration(node: ast.FunctionDef) -> bool:
    """Return whether a function in a class is a migration, and so none of the methods."""
    return node.name == "migrate" and [one.name for one in parameters(node)] == ["since"]


def decode_migration(scope: Scope, node: ast.FunctionDef) -> MigrationDecl:
    """Read `@impl("migrations:split")` on `def migrate(since="3f2a9c01")`."""
    impl, _ = decode_decorators(scope, node, in_class=True)
    (parameter,) = parameters(node)
    since = literal_value(parameter.default)
    if not isinstance(since, str) or not _DIGITS.fullmatch(since):
        raise scope.refused(
            Code.WRONG_OPTION,
            parameter.default or parameter.node,
            "`since` is not the digest of a class",
            label="expected eight hexadecimal digits, as a string",
            advice='copy the digits from the error message of `unpack`, as in `since="3f2a9c01"`',
        )
    if impl is None:
        raise Refused
    return MigrationDecl(since, impl, span=scope.source.name_span(node))


# --- enums


def enum_kind(scope: Scope, node: ast.ClassDef) -> str:
    """Which of enum's classes a class derives from, "" for none."""
    for base in node.bases:
        word = scope.word(base)
        if word is not None and word.kind == "enum":
            return word.name
        # `enum.Enum`: the import of the whole module was refused.
        if isinstance(base, ast.Attribute) and base.attr in ENUMS:
            return base.attr if scope.kind(base.value) == "unknown" else ""
    return ""


def decode_enum(scope: Scope, node: ast.ClassDef, kind: str) -> Enum[ast.expr]:
    """Read an enum."""
    bases = [b for b in node.bases if not isinstance(b, ast.Attribute) and name_of(b) != kind]
    for extra in (*bases, *(k.value for k in node.keywords), *node.decorator_list):
        if scope.kind(extra) in ("enum", "unknown"):
            continue
        scope.outside_language(
            extra,
            f"the enum `{node.name}` can have only one base, and no keywords or decorators",
            label="not allowed for an enum",
            advice=f"write `class {node.name}({kind}):`. An enum of integers is an `IntEnum`, one of "
            "strings a `StrEnum`",
        )
    members = accepted(partial(_enum_member, scope, node), statements(node.body))
    check_duplicates(scope, [(m.name, m.span) for m in members], f"the enum `{node.name}`")
    was = former_names(scope, node, may_move=True)
    span = scope.source.name_span(node)
    ref = Ref(scope.source.module, node.name)
    return Enum(ref, kind, tuple(members), scope.doc(node), was, span=span)


def _enum_member(scope: Scope, node: ast.ClassDef, statement: ast.stmt) -> Member[ast.expr]:
    if isinstance(statement, ast.Assign):
        name = target(statement)
        span = scope.source.span(name)
        check_name(scope, name.id, span, "member")
        was = former_names(scope, statement)
        return Member(name.id, statement.value, scope.doc(statement), was, span=span)
    where: Span | Located = statement
    if isinstance(statement, ast.AnnAssign):
        where = target(statement)
    elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
        where = scope.source.name_span(statement)
    raise scope.outside_language(
        where,
        f"the enum `{node.name}` contains something that is not a member",
        label="not a member",
        advice='if this is a member, write `NAME = "value"`, without a type. If this is a '
        "function, put it into your own Python module",
    )
