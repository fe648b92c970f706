"""What declarations were called before: `# codegen: was[...]`.

nx: static[int]  # codegen: was[columns, n]        ->    ("columns", "n")
class Plate:     # codegen: was[heat.slabs:Slab]   ->    ("heat.slabs:Slab",)
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from codegen.diagnostics import Code
from codegen.schema.comments import Rename
from codegen.schema.paths import is_name, split
from codegen.schema.scope import Scope
from codegen.schema.stub import statements


def former_names(scope: Scope, statement: ast.stmt, *, may_move: bool = False) -> tuple[str, ...]:
    """What a declaration was called before; `may_move`: also in which module."""
    found: list[str] = []
    for rename in _behind(scope, statement):
        for name in rename.names:
            if is_name(name) or (may_move and split(name)):
                found.append(name)
            else:
                _wrong(scope, rename, name, may_move=may_move)
    return tuple(found)


def check_renames(scope: Scope, body: Iterable[ast.stmt]) -> None:
    """Report comments that stand behind no declaration."""
    renames = scope.stub.renames if scope.stub else ()
    if not renames:
        return
    lines = {rename.line for statement in _all(body) for rename in _behind(scope, statement)}
    for rename in renames:
        if rename.line not in lines:
            scope.add(
                Code.WRONG_RENAME,
                rename.span,
                "a former name stands behind no declaration",
                label="of what is it the name?",
                advice="write it behind the field, class, enum member or dimension, on its line",
            )


def _all(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.ClassDef):
            yield from _all(statements(statement.body))


def _behind(scope: Scope, statement: ast.stmt) -> list[Rename]:
    """The comments behind a declaration; of a class, behind its head."""
    renames = scope.stub.renames if scope.stub else ()
    lines: Container[int]
    if not renames:
        return []
    match statement:
        case ast.Assign() | ast.AnnAssign():
            lines = range(statement.lineno, (statement.end_lineno or 0) + 1)
        case ast.FunctionDef():
            # Its name and its result; a comment between them is about a parameter.
            first = _name_line(scope, statement)
            lines = (first, (statement.returns and statement.returns.end_lineno) or first)
        case ast.ClassDef(body=[below, *_]):
            first = _name_line(scope, statement)
            lines = range(first, max(first + 1, below.lineno))
        case _:
            return []
    return [one for one in renames if one.line in lines and not _is_alone(scope, one)]


def _is_alone(scope: Scope, rename: Rename) -> bool:
    """Whether a comment has its line for itself."""
    start = scope.source.line_span(rename.line).start
    return not scope.source.text[start : rename.span.start].strip()


def _name_line(scope: Scope, node: ast.ClassDef | ast.FunctionDef) -> int:
    line, _ = scope.source.position(scope.source.name_span(node).start)
    return line


def _wrong(scope: Scope, rename: Rename, name: str, *, may_move: bool) -> None:
    form = "`# codegen: was[old]`, or `was[old.module:Old]` of what stood in another module"
    scope.add(
        Code.WRONG_RENAME,
        rename.span,
        f"`{name}` is no former name" if name else "the former name is missing",
        label="expected a name",
        advice=f"write {form if may_move else '`# codegen: was[old]`; several: `was[old, older]`'}",
    )
