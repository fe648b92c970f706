"""Find the modules that a module imports at run time: its schema may refer only to these.

A generated module imports the modules of the classes that it refers to, and mixins from the
sources. So a schema may refer to a class only if the source also imports its module, and if that
module does not import the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.names import absolute_module
from codegen.adopt.find.nodes import FoundClasses, SourceModule


class Imports:
    """The imports of a package's modules, without those under `TYPE_CHECKING`."""

    def __init__(self, found: FoundClasses) -> None:
        self._found = found
        self._reachable_from: dict[str, frozenset[str]] = {}

    def may_refer(self, module: str, other: str) -> bool:
        """Return whether the schema of a module may refer to a class of another module."""
        if module == other:
            return True
        return other in self._reachable(module) and module not in self._reachable(other)

    def _reachable(self, module: str) -> frozenset[str]:
        if module not in self._reachable_from:
            reached: set[str] = set()
            waiting = [module]
            while waiting:
                one = waiting.pop()
                if one in self._found.modules:
                    new = set(_imported_modules(self._found.modules[one], self._found)) - reached
                    reached |= new
                    waiting += new
            self._reachable_from[module] = frozenset(reached)
        return self._reachable_from[module]


def _imported_modules(module: SourceModule, found: FoundClasses) -> Iterator[str]:
    for statement in _iter_running(module.tree.body):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield from _nearest_module(alias.name, found)
        elif isinstance(statement, ast.ImportFrom):
            source = absolute_module(statement, module)
            for alias in statement.names:
                yield from _nearest_module(f"{source}.{alias.name}", found)
            yield from _nearest_module(source, found)


def _nearest_module(name: str, found: FoundClasses) -> Iterator[str]:
    if name in found.modules:
        yield name


def _iter_running(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(test=test) if ast.unparse(test).endswith("TYPE_CHECKING"):
                yield from _iter_running(statement.orelse)
            case ast.If():
                yield from _iter_running([*statement.body, *statement.orelse])
            case ast.Try():
                handlers = [one for handler in statement.handlers for one in handler.body]
                yield from _iter_running([*statement.body, *handlers, *statement.orelse])
