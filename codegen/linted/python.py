r"""Which names and parameters a Python module has, by its source: it is never imported.

    lacking("class Model:\n    def step(self): ...", "Model.stop")    ->    Lacking("stop", {"step"})
    parameters("def step(rod, *, dt): ...", "step")    ->    Parameters(("rod",), {"dt"})

What a module makes while it runs nobody knows: one with `__getattr__`, an import of `*`, `globals()`
or an assignment to an attribute may have any name, and so may a class with bases or a decorator.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANYTHING = "globals()"
_ANY = ("*", "__getattr__", _ANYTHING)


class Lacking(Struct, frozen=True):
    """The first name of a dotted path that is not there, and those that are."""

    name: str
    names: frozenset[str]


class Parameters(Struct, frozen=True):
    """The parameters of a function or class, as its callers see them."""

    positional: tuple[str, ...]
    by_keyword: frozenset[str]
    is_decorated: bool  # so there may be others in front of them


def lacking(text: str, path: str) -> Lacking | None:
    """Which name of a dotted path a module lacks; None where it may have all of them."""
    found = _find(text, path)
    return found if isinstance(found, Lacking) else None


def parameters(text: str, path: str) -> Parameters | None:
    """The parameters of what a dotted path names; None where they are not known, or any."""
    found = _find(text, path)
    if found is None or isinstance(found, Lacking):
        return None
    node, is_bound = found[-1], False
    if isinstance(node, ast.ClassDef):
        members = dict(_bound(node.body))
        is_plain = not (node.bases or node.keywords or node.decorator_list)
        node, is_bound = members.get("__init__", node), True
        if not is_plain or "__new__" in members:
            return None
    if not isinstance(node, ast.FunctionDef) or node.args.vararg is not None:
        return None
    decorators = {ast.unparse(one) for one in node.decorator_list}
    is_bound |= "classmethod" in decorators
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return Parameters(
        tuple(names[is_bound:]),
        frozenset(one.arg for one in node.args.kwonlyargs),
        bool(decorators - {"classmethod", "staticmethod"}),
    )


def _find(text: str, path: str) -> list[ast.AST] | Lacking | None:
    """The nodes that the names of a dotted path are bound to; None where that is not known."""
    body = _body(text)
    if body is None:
        return None
    found: list[ast.AST] = []
    names = path.split(".")
    for name in names:
        bound = dict(_bound(body))
        if not bound.keys().isdisjoint(_ANY):
            return None
        if name not in bound:
            return Lacking(name, frozenset(bound))
        node = bound[name]
        found.append(node)
        if len(found) == len(names):
            break
        if not isinstance(node, ast.ClassDef):
            return None
        if node.bases or node.keywords or node.decorator_list:
            return None
        body = node.body
    return found


@lru_cache(maxsize=8)  # A module holds several functions.
def _body(text: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
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
