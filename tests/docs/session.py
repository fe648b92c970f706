"""Run the Python blocks of a page in order, in one namespace.

    python tests/docs/session.py '[["docs/tutorial.md", 12, "1 + 1  # 2\\n", null], ...]'

A comment after an expression is the text that it prints, or its value by repr or str. After any statement, `#
SomeError: ...` is the error that it raises. The fourth item is the remaining output of the block. This module imports
nothing from the tests, because the current folder is the reader's project.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
import tokenize
from typing import Any

_RAISED = re.compile(r"[A-Za-z.]*(?:Error|Warning): ")


def matches(expected: str, actual: str) -> bool:
    """Compare except for white space; `...` matches anything."""
    parts = [re.escape(" ".join(part.split())) for part in expected.split("...")]
    return re.fullmatch(r"\s*.*\s*".join(parts), " ".join(actual.split())) is not None


def _comments(text: str) -> dict[int, str]:
    """Return the comments after code, by line; following lines with only a comment continue them."""
    found: dict[int, str] = {}
    behind = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, words = token.start[0], token.string.removeprefix("#").strip()
        if token.line[: token.start[1]].strip():
            behind = line
            found[line] = words
        elif behind and line == behind + found[behind].count("\n") + 1:
            found[behind] += f"\n{words}"
        else:
            behind = 0
    return found


def _run(statement: ast.stmt, names: dict[str, Any], file: str) -> tuple[str, str]:
    """Run a statement; return its output and its value."""
    printed = io.StringIO()
    value: Any = None
    with contextlib.redirect_stdout(printed):
        if isinstance(statement, ast.Expr):
            code = compile(ast.Expression(statement.value), file, "eval")
            value = eval(code, names)
        else:
            exec(compile(ast.Module([statement], []), file, "exec"), names)
    return printed.getvalue(), value


def _step(statement: ast.stmt, comment: str | None, names: dict[str, Any], file: str) -> str:
    """Run one statement; return the output that no comment contains."""
    raises = comment is not None and _RAISED.match(comment) is not None
    try:
        printed, value = _run(statement, names, file)
    except (Exception, Warning) as error:
        told = f"{type(error).__name__}: {error}"
        if not raises or not matches(comment or "", told):
            raise
        return ""
    assert not raises, f"it raised nothing, but should have raised: {comment}"
    shown = [printed] if printed else [repr(value), str(value)]
    if isinstance(statement, ast.Expr) and comment is not None:
        assert any(matches(comment, text) for text in shown), f"it is {shown[0]}, not: {comment}"
        return ""
    return printed


def run(names: dict[str, Any], page: str, line: int, text: str, output: str | None) -> None:
    """Run a block, with the line numbers of the page."""
    comments = _comments(text)
    body = ast.parse(text, page).body
    shown = ""
    for statement in body:
        comment = comments.get(statement.end_lineno or 0)
        ast.increment_lineno(statement, line - 1)
        is_last = statement is body[-1] and output is not None
        try:
            shown += _step(statement, comment, names, page)
        except Exception as error:
            if not is_last:
                error.add_note(f"in {page}:{statement.lineno}")
                raise
            shown += f"{type(error).__name__}: {error}"
    if output is not None:
        assert matches(output, shown), f"{page}:{line}: it shows\n{shown}\nnot\n{output}"


def main() -> None:
    """Run the blocks that the first argument lists."""
    sys.path[0] = ""
    session: dict[str, Any] = {"__name__": "__main__"}
    for block in json.loads(sys.argv[1]):
        run(session, *block)


if __name__ == "__main__":
    main()
