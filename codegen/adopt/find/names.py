"""Resolve a name of a module through imports, re-exports, stars, aliases and partials.

names.resolve("heat.plate", <struct.dataclass>)    ->    "flax.struct.dataclass"
names.decorator("heat.plate", <pytree>)            ->    Decorator("chex.dataclass", (), {"frozen": <True>})

Here `heat.plate` has `from ._compat import *`, and that module has `pytree =
partial(chex.dataclass, frozen=True)`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from codegen.adopt.find.nodes import Decorator, SourceModule

_Scope: TypeAlias = dict[str, "str | ast.expr | None"]
"""The meaning of a name: an absolute name, an assigned expression, or None if defined there."""
_DEPTH_MAX = 40


class PackageNames:
    """The names of the modules of a package."""

    def __init__(self, modules: Mapping[str, SourceModule]) -> None:
        self._modules = modules
        self._scopes: dict[str, _Scope] = {}
        self._stars: dict[str, list[str]] = {}
        for module in modules.values():
            scope: _Scope = {}
            stars: list[str] = []
            for statement in iter_import_statements(module.tree.body):
                _bind(statement, module, scope, stars)
            self._scopes[module.name] = scope
            self._stars[module.name] = stars

    def defined(self, module: str) -> _Scope:
        """Return the names that a module binds at its top level, both imports and definitions."""
        return self._scopes[module]

    def resolve(self, module: str, expression: ast.expr | None) -> str:
        """Return the absolute name of an expression; empty if it is not a name.

        If `module` is empty, the names of the expression are absolute.
        """
        match expression:
            case ast.Name(id=name):
                return self.follow(f"{module}.{name}" if module else name)
            case ast.Attribute(value=value, attr=name):
                inner = self.resolve(module, value)
                return self.follow(f"{inner}.{name}") if inner else ""
            case ast.Subscript(value=value):
                return self.resolve(module, value)
            case ast.Constant(value=str() as text):
                parsed = parse_quoted(text)
                return self.resolve(module, parsed) if parsed is not None else ""
            case _:
                return ""

    def follow(self, name: str, depth: int = 0) -> str:
        """Resolve an absolute name of the package; names from elsewhere are returned unchanged."""
        location = self._found(name)
        if location is None or depth > _DEPTH_MAX:
            return name
        module, first, rest = location
        target = self._lookup(module, first)
        match target:
            case "":
                if not rest and hasattr(builtins, first):
                    return f"builtins.{first}"
                return name
            case str():
                moved = f"{target}.{rest}" if rest else target
                return moved if moved == name else self.follow(moved, depth + 1)
            case ast.Name() | ast.Attribute():
                moved = self.resolve(module, target) if depth < _DEPTH_MAX else ""
                moved = f"{moved}.{rest}" if rest and moved else moved
                return self.follow(moved, depth + 1) if moved and moved != name else name
            case _:
                return name

    def assigned(self, name: str) -> tuple[str, ast.expr] | None:
        """Return the module and the expression of an assigned name that is not an alias."""
        location = self._found(self.follow(name))
        if location is None or location[2]:
            return None
        target = self._lookup(location[0], location[1])
        return (location[0], target) if isinstance(target, ast.expr) else None

    def home(self, name: str) -> tuple[str, str] | None:
        """Return the package module that defines the first part of a name, and the rest."""
        location = self._found(self.follow(name))
        if location is None or self._scopes[location[0]].get(location[1], "") is not None:
            return None
        return location[0], f"{location[1]}.{location[2]}" if location[2] else location[1]

    def function(self, name: str) -> tuple[str, ast.FunctionDef] | None:
        """Return the module and the definition of a package function."""
        location = self._found(self.follow(name))
        if location is None or location[2]:
            return None
        for statement in iter_import_statements(self._modules[location[0]].tree.body):
            if isinstance(statement, ast.FunctionDef) and statement.name == location[1]:
                return location[0], statement
        return None

    def decorator(self, module: str, expression: ast.expr, depth: int = 0) -> Decorator:
        """Resolve a decorator or call to the function that is called, with all arguments."""
        if isinstance(expression, ast.Call):
            inner = self.decorator(module, expression.func, depth + 1)
            arguments = tuple(expression.args)
            keywords = {one.arg: one.value for one in expression.keywords if one.arg}
            if inner.name == "functools.partial" and arguments:
                inner = self.decorator(module, arguments[0], depth + 1)
                arguments = arguments[1:]
            return Decorator(
                inner.name, (*inner.arguments, *arguments), {**inner.keywords, **keywords}
            )
        name = self.resolve(module, expression)
        value = self.assigned(name) if name and depth < _DEPTH_MAX else None
        if value is not None and isinstance(value[1], ast.Call):
            decorator = self.decorator(*value, depth + 1)
            return decorator if decorator.name else Decorator(name)
        return Decorator(name)

    def _found(self, name: str) -> tuple[str, str, str] | None:
        """Split a name into its package module, its first part there, and the rest."""
        parts = name.split(".")
        for end in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:end])
            if module in self._modules:
                return module, parts[end], ".".join(parts[end + 1 :])
        return None

    def _lookup(self, module: str, name: str, seen: tuple[str, ...] = ()) -> str | ast.expr | None:
        """Return what a name is bound to in a module; empty if it is not bound."""
        scope = self._scopes.get(module, {})
        if name in scope:
            return scope[name]
        for star in self._stars.get(module, ()):
            if star in seen or name.startswith("_"):
                continue
            if star in self._modules:
                target = self._lookup(star, name, (*seen, module))
                if target != "":
                    return f"{star}.{name}"
        outside = [one for one in self._stars.get(module, ()) if one not in self._modules]
        # An undefined name comes from the star import of a library, if there is exactly one.
        if len(outside) == 1 and not hasattr(builtins, name):
            return f"{outside[0]}.{name}"
        return ""


def parse_quoted(text: str) -> ast.expr | None:
    """Return a quoted annotation as an expression; None if it is not one."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def iter_import_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module that run on import, also inside `if` and `try`."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(test=test, body=inner, orelse=other):
                # The run-time branch has priority over the branch for type checkers.
                is_typing = ast.unparse(test).endswith("TYPE_CHECKING")
                yield from iter_import_statements(
                    (*other, *inner) if is_typing else (*inner, *other)
                )
            case ast.For() | ast.While():
                yield from iter_import_statements((*statement.body, *statement.orelse))
            case ast.Try():
                yield from iter_import_statements(statement.body)
                for handler in statement.handlers:
                    yield from iter_import_statements(handler.body)
                yield from iter_import_statements((*statement.orelse, *statement.finalbody))
            case ast.With():
                yield from iter_import_statements(statement.body)


def _bind(statement: ast.stmt, module: SourceModule, scope: _Scope, stars: list[str]) -> None:
    """Record the names that a statement binds. The first binding wins, as in `try: import ...`."""
    match statement:
        case ast.Import(names=aliases):
            for alias in aliases:
                first = alias.name.partition(".")[0]
                scope.setdefault(alias.asname or first, alias.name if alias.asname else first)
        case ast.ImportFrom(names=aliases):
            source = absolute_module(statement, module)
            for alias in aliases:
                if alias.name == "*":
                    stars.append(source)
                else:
                    scope.setdefault(alias.asname or alias.name, f"{source}.{alias.name}")
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            scope.setdefault(name, None)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.setdefault(target.id, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            scope.setdefault(name, value)


def absolute_module(statement: ast.ImportFrom, module: SourceModule) -> str:
    """Return the absolute module name of `from ... import`."""
    if not statement.level:
        return statement.module or ""
    parts = module.name.split(".")
    count = len(parts) - statement.level + module.is_package
    return ".".join([*parts[: max(count, 0)], *([statement.module] if statement.module else [])])
