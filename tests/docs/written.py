"""Parts of a Python module as they are written, each in one line.

module = Written("class A(Base):\\n    x: int = 1\\n")
module.head(module.classes["A"])    # "class A(Base)"
"""

from __future__ import annotations

import ast
import re

# A comma before a line's end is the formatter's; that of `(1,)` is a tuple's.
_INSIDE = re.compile(r"(?<=[\[(])\s+|,?\s+(?=[\])])")


class Written:
    """A module, and where its declarations stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.body = ast.parse(text).body
        self.classes = {one.name: one for one in self.body if isinstance(one, ast.ClassDef)}
        self.functions = functions(self.body)
        self.assigned = {
            ast.unparse(one.target if isinstance(one, ast.AnnAssign) else one.targets[0]): one
            for one in self.body
            if isinstance(one, ast.Assign | ast.AnnAssign)
        }

    def of(self, node: ast.AST | None) -> str:
        """A node on one line; nothing of None."""
        found = ast.get_source_segment(self.text, node) if node else ""
        text = " ".join(_INSIDE.sub("", found or "").split())
        is_one = isinstance(node, ast.Tuple) and len(node.elts) == 1 and text[-2:] != ",)"
        return f"{text.removesuffix(')')},)" if is_one else text

    def head(self, node: ast.ClassDef | ast.FunctionDef) -> str:
        """A class or function without its body."""
        if isinstance(node, ast.ClassDef):
            inner = ", ".join(self.of(one) for one in [*node.bases, *node.keywords])
            return f"class {node.name}({inner})" if inner else f"class {node.name}"
        marks = "".join(f"@{self.of(one)} " for one in node.decorator_list)
        return f"{marks}def {self.signature(node)}"

    def signature(self, node: ast.FunctionDef) -> str:
        """The name of a function, what it takes and what it returns."""
        returned = f" -> {self.of(node.returns)}" if node.returns else ""
        return f"{node.name}({', '.join(self.arguments(node))}){returned}"

    def arguments(self, node: ast.FunctionDef) -> list[str]:
        """What a function takes, each with its type and default, and the star between them."""
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
    """The functions of a module, or the methods of a class, by name; of overloads the first."""
    return {one.name: one for one in reversed(body) if isinstance(one, ast.FunctionDef)}
