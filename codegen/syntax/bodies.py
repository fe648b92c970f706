"""The parts that bodies of modules, classes and functions share: docstrings, `pass` and `...`.

class Grid:
    \"\"\"The plate's grid.\"\"\"      docstring(...) gives "The plate's grid." and what is below it
    ...                            is_nothing(...)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codegen.source import Span
from codegen.syntax.comments import clean
from codegen.syntax.reading import Reading


def docstring(
    reading: Reading, body: Sequence[ast.stmt]
) -> tuple[str, Span | None, Sequence[ast.stmt]]:
    """The docstring of a body, its place, and the statements below it."""
    text = string(body[0]) if body else None
    if text is None:
        return "", None, body
    return clean(text), reading.span(body[0]), body[1:]


def string(node: ast.stmt | None) -> str | None:
    """The text of a statement that is a string and nothing else."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else None
    return None


def is_nothing(node: ast.stmt) -> bool:
    """Whether a statement is `pass` or `...`, which only fill a body that would be empty."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and node.value.value is ...
    return isinstance(node, ast.Pass)
