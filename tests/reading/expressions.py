"""Check expressions of the output that run at import: values, types, and few calls.

Running(fail, trusted={"Grid"}).expression(...)
# `Grid(nx=4)`, `frozenset((1, 2))`, `tuple[int, ...]`: fine
# `exec("...")`, `lambda: 0`, `[x for x in y]`: fail(node, "`exec` is called")
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable

from msgspec import Struct

# Builtins that may create a value.
_MAKERS = frozenset(("complex", "frozenset"))
# Functions that compile, without the values of their options.
_JIT = re.compile(
    r"lambda run: ((_codegen_)?jax\.jit|_rt\.JitWithOptions)\(run, static_argnums=0"
    r"(, donate_argnums=1)?(, keep_unused=True)?(, inline=True)?(, compiler_options=\{.*\})?\)"
)
_HELD = (ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.Starred, ast.Slice)


class Running(Struct):
    """The code that may run when one module is imported."""

    fail: Callable[[ast.AST, str], None]
    trusted: set[str]
    """What may be called: classes of the program, and names from the support package, Python and
    JAX."""

    def expression(self, node: ast.expr) -> None:
        """Fail unless it is a value, a type, or a call that the compiler writes."""
        waiting: list[ast.AST] = [node]
        while waiting:
            one = waiting.pop()
            # The most common nodes first, without dispatch, because a module has thousands of them.
            if isinstance(one, (ast.Constant, ast.Name)):
                continue
            if isinstance(one, ast.Attribute):
                waiting.append(one.value)
            elif isinstance(one, ast.Subscript):
                waiting += (one.value, one.slice)
            elif isinstance(one, ast.Call):
                self._call(one)
                waiting += one.args
                waiting += [keyword.value for keyword in one.keywords]
            elif isinstance(one, ast.BinOp):
                if not isinstance(one.op, ast.BitOr):
                    self.fail(one, f"`{ast.unparse(one)}` is computed")
                waiting += (one.left, one.right)
            elif isinstance(one, ast.Lambda) and _JIT.fullmatch(ast.unparse(one)):
                assert isinstance(one.body, ast.Call)
                waiting += [keyword.value for keyword in one.body.keywords]
            elif isinstance(one, _HELD):
                waiting += [
                    part for part in ast.iter_child_nodes(one) if isinstance(part, ast.expr)
                ]
            else:
                self.fail(one, f"`{ast.unparse(one)[:60]}` runs")

    def _call(self, node: ast.Call) -> None:
        root = root_of(node.func)
        if root not in self.trusted and root not in _MAKERS:
            self.fail(node, f"`{ast.unparse(node.func)[:60]}` is called")
        names = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
        if len({*names}) != len(names):
            self.fail(node, f"`{ast.unparse(node.func)[:60]}` is given a keyword twice")

    @staticmethod
    def is_builtin(name: str) -> bool:
        """Whether a name without a binding is one of Python's builtins."""
        return not name or hasattr(builtins, name)


def root_of(node: ast.expr) -> str:
    """Return the first name of an attribute, such as "jax" of `jax.tree.map`; otherwise ""."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
