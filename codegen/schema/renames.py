"""What declarations were called before: `# codegen: was[...]`.

nx: static[int]  # codegen: was[columns, n]        ->    ("columns", "n")
class Plate:     # codegen: was[heat.slabs:Slab]   ->    ("heat.slabs:Slab",)
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from codegen.diagnostics import Code
from codegen.schema.paths import is_name, split
from codegen.schema.scope import Scope
from codegen.syntax import nodes as syntax


def former_names(
    scope: Scope, statement: syntax.Stmt, *, may_move: bool = False
) -> tuple[str, ...]:
    """What a declaration was called before; `may_move`: also in which module."""
    found: list[str] = []
    for rename in _behind(scope, statement):
        for name in rename.names:
            if is_name(name) or (may_move and split(name)):
                found.append(name)
            else:
                _wrong(scope, rename, name, may_move=may_move)
    return tuple(found)


def check_renames(scope: Scope, body: Sequence[syntax.Stmt]) -> None:
    """Report comments that stand behind no declaration."""
    if not scope.renames:
        return
    lines = {rename.line for statement in _all(body) for rename in _behind(scope, statement)}
    for rename in scope.renames:
        if rename.line not in lines:
            scope.add(
                Code.WRONG_RENAME,
                rename.span,
                "a former name stands behind no declaration",
                label="of what is it the name?",
                advice="write it behind the field, class, enum member or dimension, on its line",
            )


def _all(body: Sequence[syntax.Stmt]) -> Iterator[syntax.Stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, syntax.Class):
            yield from _all(statement.body)


def _behind(scope: Scope, statement: syntax.Stmt) -> list[syntax.Rename]:
    """The comments behind a declaration; of a class, behind its head."""
    if not scope.renames or isinstance(
        statement, syntax.Import | syntax.ImportFrom | syntax.Expression
    ):
        return []
    first = _line(scope, statement.name_span.start)
    lines: Container[int] = range(first, _line(scope, statement.span.end) + 1)
    if isinstance(statement, syntax.Function):
        # Its name and its result; what stands between is said of parameters.
        end = statement.returns.span.end if statement.returns else statement.name_span.end
        lines = (first, _line(scope, end))
    if isinstance(statement, syntax.Class):
        inside = [one for one in (statement.doc_span, *(s.span for s in statement.body)) if one]
        below = _line(scope, min((one.start for one in inside), default=0))
        lines = range(first, max(first + 1, below))
    return [one for one in scope.renames if one.line in lines and not _is_alone(scope, one)]


def _is_alone(scope: Scope, rename: syntax.Rename) -> bool:
    """Whether a comment has its line for itself."""
    start = scope.source.line_span(rename.line).start
    return not scope.source.text[start : rename.span.start].strip()


def _line(scope: Scope, at: int) -> int:
    line, _ = scope.source.position(at)
    return line


def _wrong(scope: Scope, rename: syntax.Rename, name: str, *, may_move: bool) -> None:
    form = "`# codegen: was[old]`, or `was[old.module:Old]` of what stood in another module"
    scope.add(
        Code.WRONG_RENAME,
        rename.span,
        f"`{name}` is no former name" if name else "the former name is missing",
        label="expected a name",
        advice=f"write {form if may_move else '`# codegen: was[old]`; several: `was[old, older]`'}",
    )
