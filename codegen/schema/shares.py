"""Read the calls that may stand alone in a class: declared sharing, and names that are taken for ever.

share(a, b.c)       ->    ShareDecl((PathDecl(("a",)), PathDecl(("b", "c"))))
reserved("dx")      ->    (ReservedDecl("dx"),)
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.nodes import PathDecl, ReservedDecl, ShareDecl
from codegen.schema.scope import Scope
from codegen.schema.stub import constant, name_of, texts

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
