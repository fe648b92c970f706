"""Check expressions of the output: at import only values, types, and few calls.

Running(fail, trusted={"Grid"}, renamed={}).expression(...)
# `Grid(nx=4)`, `frozenset((1, 2))`, `tuple[int, ...]`: fine
# `exec("...")`, `lambda: 0`, `[x for x in y]`: fail(node, "`exec` is called")
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Container, Sequence

from msgspec import Struct

# Builtins that may create a value.
_MAKERS = frozenset(("complex", "frozenset"))
# The builtins in the bodies of functions.
READ = {
    *_MAKERS,
    *("id", "isinstance", "repr", "type"),
    *("AttributeError", "BaseException", "NotImplemented", "__name__"),
    *("classmethod", "property", "staticmethod"),
    *("bool", "bytes", "dict", "float", "int", "list", "object", "str", "tuple"),
}
# Expressions that no function holds.
_UNUSED = (
    *(ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.NamedExpr, ast.JoinedStr, ast.Await, ast.Yield, ast.YieldFrom),
)
_HELD = (ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.Starred, ast.Slice)


class Running(Struct):
    """The code that may run when one module is imported."""

    fail: Callable[[ast.AST, str], None]
    trusted: set[str]
    """What may be called: classes of the program, and names from the support package, Python and
    JAX."""
    renamed: dict[str, str]
    """Names of Python that have another name in the module, because its schema declares their own."""

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
            elif isinstance(one, _HELD):
                waiting += [
                    part for part in ast.iter_child_nodes(one) if isinstance(part, ast.expr)
                ]
            else:
                self.fail(one, f"`{ast.unparse(one)[:60]}` runs")

    def body(self, body: Sequence[ast.stmt], own: Container[str]) -> None:
        """Fail if the body of a function reads a builtin that generated code does not use.

        `own` holds the names that are those of the function or its module.
        """
        for node in (node for statement in body for node in ast.walk(statement)):
            if isinstance(node, _UNUSED):
                self.fail(node, f"`{ast.unparse(node)[:60]}` has no place in a function")
            if isinstance(node, ast.Name) and node.id not in own and node.id not in self.trusted:
                name = self.renamed.get(node.id, node.id)
                if name not in READ and hasattr(builtins, name):
                    self.fail(node, f"`{name}` is called")

    def _call(self, node: ast.Call) -> None:
        root = root_of(node.func)
        if root not in self.trusted and root not in _MAKERS:
            self.fail(node, f"`{ast.unparse(node.func)[:60]}` is called")
        names = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
        if len({*names}) != len(names):
            self.fail(node, f"`{ast.unparse(node.func)[:60]}` is given a keyword twice")


def root_of(node: ast.expr) -> str:
    """Return the first name of an attribute, such as "jax" of `jax.tree.map`; otherwise ""."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
