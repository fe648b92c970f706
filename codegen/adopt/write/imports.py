"""Finish the imports of a rewritten source, so that linters find nothing new.

Imports that only the removed classes needed go. The import of the generated classes gets the
comments that it needs: `noqa: E402` below other code, `F401` if the module does not use a class, and
`isort: split` directly below other imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from codegen.adopt.decide.rewrites import NOQA, Rewrite
from codegen.adopt.find.names import parse_quoted


def finish_imports(old: cst.Module, new: cst.Module, change: Rewrite) -> bytes:
    """Return the new source with finished imports."""
    before, after = (set(_names_read(ast.parse(one.code))) for one in (old, new))
    unused = before - after - change.exported
    if unused and "*" not in change.exported:
        new = _remove_imports(new, unused)
    return _comment_import(new.code, change).encode(new.encoding)


def _comment_import(code: str, change: Rewrite) -> str:
    """Replace the comment on the import of the generated classes."""
    start = code.find(change.statement.rstrip()) if change.statement else -1
    if start < 0:
        return code
    tree = ast.parse(code)
    line = code.count("\n", 0, start) + 1
    above = [one for one in tree.body if one.lineno < line]
    names = {one.name for one in change.classes}
    codes = ["E402"] * any(map(_is_code, above)) + ["F401"] * bool(names - {*_names_read(tree)})
    comment = f"  # noqa: {', '.join(codes)}" if codes else ""
    is_below = bool(above) and isinstance(above[-1], ast.Import | ast.ImportFrom)
    split = "# isort: split\n" if is_below else ""
    finished = change.statement.rstrip().replace(NOQA, comment)
    return f"{code[:start]}{split}{finished}{code[start + len(change.statement.rstrip()) :]}"


def _is_code(statement: ast.stmt) -> bool:
    """Return whether an import below this statement is not at the top of its file."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.If() | ast.Try():
            return False
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(targets=[ast.Name(id=name)]):
            return not (name.startswith("__") and name.endswith("__"))
        case _:
            return True


def _remove_imports(new: cst.Module, unused: set[str]) -> cst.Module:
    body: list[cst.BaseStatement | cst.SimpleStatementLine] = []
    waiting: list[cst.EmptyLine] = []  # above removed imports
    for statement in new.body:
        left = _without_imports(statement, unused)
        lines: list[cst.EmptyLine] = [*getattr(statement, "leading_lines", ())]
        if left is None:
            has_comment = any(one.comment is not None for one in lines)
            waiting = [*waiting, *lines] if has_comment else waiting or lines
            continue
        if waiting and (not lines or any(one.comment is not None for one in waiting)):
            left = left.with_changes(leading_lines=[*waiting, *lines])
        waiting = []
        body.append(left)
    footer = [*(one for one in waiting if one.comment is not None), *new.footer]
    return new.with_changes(body=body, footer=footer)


def _names_read(tree: ast.AST) -> Iterator[str]:
    """Yield the names that code reads, also in quoted annotations and in `__all__`."""
    docs = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        ):
            quoted = parse_quoted(node.value)
            for one in ast.walk(quoted) if quoted is not None else ():
                if isinstance(one, ast.Name):
                    yield one.id


def _without_imports(
    statement: cst.BaseStatement | cst.SimpleStatementLine, unused: set[str]
) -> cst.BaseStatement | cst.SimpleStatementLine | None:
    """Return a statement without imports of these names; None if nothing is left."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom() as imported]):
            comment = statement.trailing_whitespace.comment
        case _:
            return statement
    if isinstance(imported.names, cst.ImportStar) or (comment and "noqa" in comment.value):
        return statement
    left = [alias for alias in imported.names if _bound_name(alias) not in unused]
    if len(left) == len(imported.names):
        return statement
    if not left:
        return None
    has_parentheses = isinstance(imported, cst.ImportFrom) and imported.lpar is not None
    if not has_parentheses:
        left[-1] = left[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return statement.with_changes(body=[imported.with_changes(names=left)])


def _bound_name(alias: cst.ImportAlias) -> str:
    name = alias.evaluated_alias or alias.evaluated_name
    return name.partition(".")[0]
