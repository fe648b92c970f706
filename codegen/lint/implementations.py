r"""Lints about the Python functions that schemas name. Modules are parsed, never imported.

find_missing_name("class Model:\n    def step(self): ...", "Model.stop")    ->    MissingName("stop", {"step"})
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from codegen.diagnostics import Code, Diagnostic
from codegen.diagnostics.suggest import did_you_mean
from codegen.lint.linting import Linting
from codegen.program.references import named_functions
from codegen.source import parse_python


def unknown_implementation(linting: Linting) -> Iterator[Diagnostic]:
    """Report each path whose module is in the project but lacks the function.

    @impl("heat_model:stpe")    ->    UNKNOWN_IMPLEMENTATION: `heat_model` has no `stpe`
    """
    for module in linting.program.modules:
        for path in named_functions(module):
            text = linting.python(path.module)
            missing = None if text is None else find_missing_name(text, path.attribute)
            if missing is not None:
                yield linting.warn(
                    Code.UNKNOWN_IMPLEMENTATION,
                    path.span,
                    f"the schema calls `{path.module}:{path.attribute}`, but `{path.module}` has no "
                    f"`{missing.name}`",
                    label="the first call fails",
                    advice=did_you_mean(
                        missing.name,
                        missing.names,
                        f"define `{missing.name}` in `{path.module}`",
                    ),
                )


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANYTHING = "globals()"
_MAY_HAVE_ANY_NAME = ("*", "__getattr__", _ANYTHING)


class MissingName(Struct, frozen=True):
    r"""The first name of a dotted path that is missing, and the names that exist.

        find_missing_name("class Model:\n    def step(self): ...", "Model.stop")    ->    MissingName("stop", {"step"})

    Names that a module creates while it runs are unknown. A module may have any name if it has
    `__getattr__`, an import of `*`, `globals()`, or an assignment to an attribute. The same applies
    to a class with bases or a decorator.
    """

    name: str
    names: frozenset[str]


def find_missing_name(text: str, path: str) -> MissingName | None:
    """Return the name of a dotted path that a module lacks; None if it may have all of them."""
    body = _body(text)
    for name in path.split("."):
        if body is None:
            return None
        bound = dict(_bound(body))
        if not bound.keys().isdisjoint(_MAY_HAVE_ANY_NAME):
            return None
        if name not in bound:
            return MissingName(name, frozenset(bound))
        node = bound[name]
        if not isinstance(node, ast.ClassDef):
            return None
        if node.bases or node.keywords or node.decorator_list:
            return None
        body = node.body
    return None


@lru_cache(maxsize=8)  # a module contains several functions
def _body(text: str) -> list[ast.stmt] | None:
    try:
        return parse_python(text).body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Yield each name that statements bind, also inside `if`, `try` and `with`."""
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
