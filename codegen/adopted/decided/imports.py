"""Find the modules that a module imports at run time: its schema may refer only to these.

A generated module imports the modules of the classes that it refers to, and mixins from the
sources. So a schema may refer to a class only if the source also imports its module, and if that
module does not import the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopted.finding.names import absolute
from codegen.adopted.finding.nodes import Found, SourceModule


class Imports:
    """The imports of a package's modules, without those under `TYPE_CHECKING`."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._reached: dict[str, frozenset[str]] = {}

    def may_name(self, module: str, other: str) -> bool:
        """Return whether the schema of a module may refer to a class of another module."""
        if module == other:
            return True
        return other in self._reach(module) and module not in self._reach(other)

    def _reach(self, module: str) -> frozenset[str]:
        if module not in self._reached:
            found: set[str] = set()
            waiting = [module]
            while waiting:
                one = waiting.pop()
                if one in self._found.modules:
                    new = set(_imported(self._found.modules[one], self._found)) - found
                    found |= new
                    waiting += new
            self._reached[module] = frozenset(found)
        return self._reached[module]


def _imported(module: SourceModule, found: Found) -> Iterator[str]:
    for statement in _running(module.tree.body):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield from _known(alias.name, found)
        elif isinstance(statement, ast.ImportFrom):
            source = absolute(statement, module)
            for alias in statement.names:
                yield from _known(f"{source}.{alias.name}", found)
            yield from _known(source, found)


def _known(name: str, found: Found) -> Iterator[str]:
    if name in found.modules:
        yield name


def _running(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(test=test) if ast.unparse(test).endswith("TYPE_CHECKING"):
                yield from _running(statement.orelse)
            case ast.If():
                yield from _running([*statement.body, *statement.orelse])
            case ast.Try():
                handlers = [one for handler in statement.handlers for one in handler.body]
                yield from _running([*statement.body, *handlers, *statement.orelse])
