"""Read declared sharing.

share(a, b.c)    ->    ShareDecl((PathDecl(("a",)), PathDecl(("b", "c"))))
"""

from __future__ import annotations

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.nodes import PathDecl, ShareDecl
from codegen.schema.scope import Scope
from codegen.syntax import nodes as syntax


def decode_share(scope: Scope, call: syntax.Call) -> ShareDecl | None:
    """Read a call that stands alone in a class; None where it is none that may."""
    if scope.kind(call.function) != "share":
        _no_share(scope, call.function)
        return None
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


def _no_share(scope: Scope, function: syntax.Expr) -> None:
    name = function.id if isinstance(function, syntax.Name) else ""
    if scope.kind(function) == "unknown":
        return
    if name == "share" and name not in scope.declared:
        scope.missing_import(name, function.span)
        return
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        function.span,
        "a call stands alone in a class",
        label="only `share(...)` may",
        advice=did_you_mean(name, ["share"], "a class is never executed; leave the call out"),
    )


def _parts(expr: syntax.Expr) -> tuple[str, ...]:
    """The attributes of a path, none where it is no path."""
    if isinstance(expr, syntax.Name):
        return (expr.id,)
    head = _parts(expr.value) if isinstance(expr, syntax.Attribute) else ()
    return (*head, expr.name) if head and isinstance(expr, syntax.Attribute) else ()
