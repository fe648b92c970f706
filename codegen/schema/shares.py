"""Read the calls that may stand alone in a class: declared sharing, and names that are taken for ever.

share(a, b.c)       ->    ShareDecl((PathDecl(("a",)), PathDecl(("b", "c"))))
reserved("dx")      ->    (ReservedDecl("dx"),)
"""

from __future__ import annotations

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.nodes import PathDecl, ReservedDecl, ShareDecl
from codegen.schema.scope import Scope
from codegen.syntax import nodes as syntax

_CALLS = ("share", "reserved")


def decode_call(scope: Scope, call: syntax.Call) -> ShareDecl | tuple[ReservedDecl, ...]:
    """Read a call that stands alone in a class; an empty tuple where it declares nothing."""
    match scope.kind(call.function):
        case "share":
            return _share(scope, call) or ()
        case "reserved":
            return _reserved(scope, call)
        case _:
            _refuse(scope, call.function)
            return ()


def _reserved(scope: Scope, call: syntax.Call) -> tuple[ReservedDecl, ...]:
    texts = [(a.span, a.value if isinstance(a, syntax.Constant) else None) for a in call.arguments]
    found = [ReservedDecl(text, span) for span, text in texts if isinstance(text, str)]
    wrong = [span for span, text in texts if not isinstance(text, str) or not text.isidentifier()]
    if not texts or wrong or call.keywords:
        scope.add(
            Code.WRONG_RESERVED,
            wrong[0] if wrong else call.span,
            "`reserved` takes the names of fields that there were, as strings",
            label="no name in quotes" if wrong else "expected names",
            advice='write `reserved("old_name")`',
        )
        return ()
    return tuple(found)


def _share(scope: Scope, call: syntax.Call) -> ShareDecl | None:
    paths = [PathDecl(_parts(expr), expr.span) for expr in call.arguments]
    wrong = next((path.span for path in paths if not path.parts), None)
    if len(paths) < 2 or call.keywords or wrong is not None:
        scope.add(
            Code.WRONG_SHARE,
            wrong or call.span,
            "`share` takes two or more paths of attributes",
            label="not a path" if wrong else "expected paths",
            advice=_instead(call),
        )
        return None
    return ShareDecl(tuple(paths), call.span)


def _instead(call: syntax.Call) -> str:
    texts = [a.value for a in call.arguments if isinstance(a, syntax.Constant)]
    names = [text for text in texts if isinstance(text, str)]
    if len(names) == len(call.arguments) >= 2 and all(
        part.isidentifier() for name in names for part in name.split(".")
    ):
        return f"leave the quotes out: `share({', '.join(names)})`"
    return "write `share(embed, encoder.embed)`: the first owns the shared part"


def _refuse(scope: Scope, function: syntax.Expr) -> None:
    name = function.id if isinstance(function, syntax.Name) else ""
    if scope.kind(function) == "unknown":
        return
    if name in _CALLS and name not in scope.declared:
        scope.missing_import(name, function.span)
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        function.span,
        "a call stands alone in a class",
        label="only `share(...)` and `reserved(...)` may",
        advice=did_you_mean(name, _CALLS, "a class is never executed; leave the call out"),
    )


def _parts(expr: syntax.Expr) -> tuple[str, ...]:
    """The attributes of a path, none where it is no path."""
    if isinstance(expr, syntax.Name):
        return (expr.id,)
    head = _parts(expr.value) if isinstance(expr, syntax.Attribute) else ()
    return (*head, expr.name) if head and isinstance(expr, syntax.Attribute) else ()
