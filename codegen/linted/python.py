r"""Which names a Python module has, by its source: it is never imported.

    lacking("class Model:\n    def step(self): ...", "Model.stop")    ->    Lacking("stop", {"step"})

What a module makes while it runs nobody knows: one with `__getattr__`, an import of `*`, `globals()`
or an assignment to an attribute may have any name, and so may a class with bases or a decorator.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANYTHING = "globals()"
_ANY = ("*", "__getattr__", _ANYTHING)


class Lacking(Struct, frozen=True):
    """The first name of a dotted path that is not there, and those that are."""

    name: str
    names: frozenset[str]


def lacking(text: str, path: str) -> Lacking | None:
    """Which name of a dotted path a module lacks; None where it may have all of them."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    for name in path.split("."):
        bound = dict(_bound(body))
        if not bound.keys().isdisjoint(_ANY):
            return None
        if name not in bound:
            return Lacking(name, frozenset(bound))
        node = bound[name]
        if not isinstance(node, ast.ClassDef):
            return None
        if node.bases or node.keywords or node.decorator_list:
            return None
        body = node.body
    return None


def _bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Each name that statements bind, in the blocks of `if`, `try` and `with` too."""
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node
            case ast.alias():
                yield node.asname or node.name.partition(".")[0], node
            case ast.Name(ctx=ast.Store()):
                yield node.id, node
            case ast.Attribute(ctx=ast.Store()):
                yield _ANYTHING, node
            case ast.Call(func=ast.Name(id="globals" | "vars" | "locals" | "exec" | "setattr")):
                yield _ANYTHING, node
        if not isinstance(node, (*_DEFINITIONS, ast.Lambda)):
            yield from _bound(ast.iter_child_nodes(node))
