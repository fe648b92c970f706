"""Format parts of a Python module as source, each on one line.

module = Written("class A(Base):\\n    x: int = 1\\n")
module.head(module.classes["A"])    # "class A(Base)"
"""

from __future__ import annotations

import ast
import re

# Trailing commas come from the formatter, except in `(1,)`.
_INSIDE = re.compile(r"(?<=[\[(])\s+|,?\s+(?=[\])])")


class Written:
    """A module, and the positions of its declarations."""

    def __init__(self, text: str) -> None:
        self._lines = text.encode().splitlines(keepends=True)
        self.body = ast.parse(text).body
        self.classes = {one.name: one for one in self.body if isinstance(one, ast.ClassDef)}
        self.functions = functions(self.body)
        self.assigned = {
            ast.unparse(one.target if isinstance(one, ast.AnnAssign) else one.targets[0]): one
            for one in self.body
            if isinstance(one, ast.Assign | ast.AnnAssign)
        }

    def of(self, node: ast.AST | None) -> str:
        """Format a node on one line; None gives an empty string."""
        text = " ".join(_INSIDE.sub("", self._segment(node)).split())
        is_one = isinstance(node, ast.Tuple) and len(node.elts) == 1 and text[-2:] != ",)"
        return f"{text.removesuffix(')')},)" if is_one else text

    def _segment(self, node: ast.AST | None) -> str:
        """As `ast.get_source_segment`, which splits the whole text at each call."""
        if not isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword):
            return ""
        lines = self._lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines).decode()

    def head(self, node: ast.ClassDef | ast.FunctionDef) -> str:
        """Format a class or function without its body."""
        if isinstance(node, ast.ClassDef):
            inner = ", ".join(self.of(one) for one in [*node.bases, *node.keywords])
            return f"class {node.name}({inner})" if inner else f"class {node.name}"
        marks = "".join(f"@{self.of(one)} " for one in node.decorator_list)
        return f"{marks}def {self.signature(node)}"

    def signature(self, node: ast.FunctionDef) -> str:
        """Format the name, parameters and result of a function."""
        returned = f" -> {self.of(node.returns)}" if node.returns else ""
        return f"{node.name}({', '.join(self.arguments(node))}){returned}"

    def arguments(self, node: ast.FunctionDef) -> list[str]:
        """Format the parameters of a function with types, defaults and the star."""
        args = node.args
        no_defaults: list[ast.expr | None] = [None] * (len(args.args) - len(args.defaults))
        positional = zip(args.args, no_defaults + list(args.defaults), strict=True)
        by_keyword = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        star = ["*"] if args.kwonlyargs else []
        return [
            *(self._argument(*pair) for pair in positional),
            *star,
            *(self._argument(*pair) for pair in by_keyword),
        ]

    def _argument(self, argument: ast.arg, default: ast.expr | None) -> str:
        return self.of(argument) + (f" = {self.of(default)}" if default else "")


def functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module or the methods of a class by name; the first of overloads."""
    return {one.name: one for one in reversed(body) if isinstance(one, ast.FunctionDef)}
