"""Resolve the names of a package's modules.

names.resolve("heat.plate", <struct.dataclass>)    ->    "flax.struct.dataclass"
names.decorator("heat.plate", <pytree>)            ->    Decorator("chex.dataclass", (), {"frozen": <True>})
names.members("heat.plate", <Grid | list[int]>)    ->    AnnotatedType("heat.plate", "heat.grid.Grid"),
                                                         AnnotatedType("heat.plate", "builtins.list", (<int>,))

Here `heat.plate` has `from ._compat import *`, and that module has `pytree =
partial(chex.dataclass, frozen=True)`. A function of the package that calls a library with the class
that it is given is resolved to this call:

def pytree(cls=None, *, frozen=True):            ->    "jax.tree_util.register_dataclass", (),
    made = dataclass(cls, frozen=frozen)               {"frozen": <True>}, {"_is_pytree"}
    made._is_pytree = True
    return register_dataclass(made)
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field

from codegen.adopt.find.package import (
    SourceModule,
    absolute_module,
    iter_import_statements,
    parse_quoted,
)
from codegen.program.graph import reachable

_DATACLASS = "dataclasses.dataclass"
_Scope: TypeAlias = dict[str, "str | ast.expr | None"]
"""The meaning of a name: an absolute name, an assigned expression, or None if defined there."""
_DEPTH_MAX = 40


class Decorator(Struct, frozen=True):
    """A decorator, base or registering call with its arguments; aliases and partials resolved."""

    name: str  # Example: "flax.struct.dataclass"
    arguments: tuple[ast.expr, ...] = ()
    keywords: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr])


class AnnotatedType(Struct, frozen=True):
    """A type in an annotation: one member of a union."""

    module: str  # where the names of its parts are looked up
    name: str  # Example: "builtins.list"; empty if it is no name
    parts: tuple[ast.expr, ...] = ()
    """The parts in brackets."""


class PackageNames:
    """The names of the modules of a package; `registering` is as in `registering_call`."""

    def __init__(
        self, modules: Mapping[str, SourceModule], registering: Mapping[str, bool] | None = None
    ) -> None:
        self._modules = modules
        self._registering = registering or {}
        self._own_decorators: dict[str, Decorator] = {}
        self._scopes: dict[str, _Scope] = {}
        self._stars: dict[str, list[str]] = {}
        self.definitions: dict[str, tuple[SourceModule, ast.ClassDef]] = {}
        """The classes of the package that are not inside another class or a function."""
        for module in modules.values():
            scope: _Scope = {}
            stars: list[str] = []
            for statement in iter_import_statements(module.tree.body):
                _bind(statement, module, scope, stars)
                if isinstance(statement, ast.ClassDef):
                    self.definitions.setdefault(
                        f"{module.name}.{statement.name}", (module, statement)
                    )
            self._scopes[module.name] = scope
            self._stars[module.name] = stars

    def defined(self, module: str) -> _Scope:
        """Return the names that a module binds at its top level, both imports and definitions."""
        return self._scopes[module]

    def resolve(self, module: str, expression: ast.expr | None, depth: int = 0) -> str:
        """Return the absolute name of an expression; empty if it is not a name.

        If `module` is empty, the names of the expression are absolute.
        """
        match expression:
            case ast.Name(id=name):
                return self.follow(f"{module}.{name}" if module else name, depth)
            case ast.Attribute(value=value, attr=name):
                inner = self.resolve(module, value, depth)
                return self.follow(f"{inner}.{name}", depth) if inner else ""
            case ast.Subscript(value=value):
                return self.resolve(module, value, depth)
            case ast.Constant(value=str() as text):
                return self.resolve(module, parse_quoted(text), depth)
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
                moved = self.resolve(module, target, depth + 1)
                if not moved:
                    return name
                return self.follow(f"{moved}.{rest}", depth + 1) if rest else moved
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
                decorators = [self.resolve(location[0], one) for one in statement.decorator_list]
                if "typing.overload" not in decorators:
                    return location[0], statement
        return None

    def members(
        self, module: str, annotation: ast.expr | None, depth: int = 0
    ) -> Iterator[AnnotatedType]:
        """Yield the types that an annotation allows, without quotes, aliases and markers."""
        name, alias = self.resolve(module, annotation), None
        parts: list[ast.expr] = []
        match annotation:
            case ast.Constant(value=str() as text):
                alias = module, parse_quoted(text)
            case ast.Constant(value=None):
                name = "builtins.None"
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                name, parts = "typing.Union", [left, right]
            case ast.Subscript(slice=inner):
                parts = [*inner.elts] if isinstance(inner, ast.Tuple) else [inner]
            case _:
                alias = self.assigned(name)
        last = name.rpartition(".")[2]
        if depth > _DEPTH_MAX:
            yield AnnotatedType(module, "")
        elif alias is not None:
            yield from self.members(*alias, depth + 1)
        elif parts and name in ("typing.Optional", "typing.Union"):
            for part in parts:
                yield from self.members(module, part, depth + 1)
            if last == "Optional":
                yield AnnotatedType(module, "builtins.None")
        elif parts and last in ("Annotated", "Final", "Static"):
            yield from self.members(module, parts[0], depth + 1)
        else:
            yield AnnotatedType(module, name, tuple(parts))

    def bases(self, name: str) -> list[str]:
        """Return the absolute names of the bases of a package class."""
        if name not in self.definitions:
            return []
        module, node = self.definitions[name]
        return [self.resolve(module.name, base) for base in node.bases]

    def with_bases(self, name: str) -> list[tuple[SourceModule, ast.ClassDef]]:
        """Return the definition of a class, and those of its bases in the package."""
        every = reachable([name], self.bases)
        return [self.definitions[one] for one in every if one in self.definitions]

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
        if name not in self._own_decorators:
            function = self.function(name) if name not in self._registering else None
            own = self._follow_decorator(*function) if function else None
            self._own_decorators[name] = own or Decorator(name)
        return self._own_decorators[name]

    def _follow_decorator(self, module: str, function: ast.FunctionDef) -> Decorator | None:
        """Return the library call that a function of the package makes with the class it is given."""
        resolve = partial(self.resolve, module)
        call, attributes = registering_call(function, resolve, self._registering)
        is_read = any(self._is_read_outside(one, module, function) for one in attributes)
        return None if is_read else call

    def _is_read_outside(self, name: str, module: str, function: ast.FunctionDef) -> bool:
        """Return whether a name occurs in the package, outside a function."""
        lines = self._modules[module].text.splitlines()[function.lineno - 1 : function.end_lineno]
        every = sum(one.text.count(name) for one in self._modules.values())
        return every > "\n".join(lines).count(name)

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


def registering_call(
    function: ast.FunctionDef, resolve: Callable[[ast.expr], str], registering: Mapping[str, bool]
) -> tuple[Decorator | None, set[str]]:
    """Return the call without the class, if it is followed, and the attributes that are set.

    The options are those that the function passes to it and to `dataclasses.dataclass`.
    `registering` has the registering functions; true if they are followed.
    """
    given, defaults = _parameters_of(function)
    calls: dict[str, ast.Call] = {}
    attributes: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                given |= {name} if _first_argument(call) in given else set()
            case ast.Attribute(attr=name, ctx=ast.Store()):
                attributes.add(name)
            case ast.Call(func=called):
                name = resolve(called)
                if name in registering or name == _DATACLASS:
                    calls[name] = node
    options = {
        one.arg: defaults.get(getattr(one.value, "id", ""), one.value)
        for call in calls.values()
        for one in call.keywords
        if one.arg
    }
    calls.pop(_DATACLASS, None)
    if len(calls) != 1:
        return None, attributes
    ((name, call),) = calls.items()
    is_followed = registering[name] and _first_argument(call) in given
    return Decorator(name, tuple(call.args[1:]), options) if is_followed else None, attributes


def _parameters_of(function: ast.FunctionDef) -> tuple[set[str], dict[str, ast.expr]]:
    """Return the parameters of a function and those inside it, and its own defaults."""
    every = [one for one in ast.walk(function) if isinstance(one, ast.arg)]
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(positional[::-1], arguments.defaults[::-1], strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {one.arg for one in every}, {one.arg: value for one, value in pairs if value}


def _first_argument(call: ast.Call) -> str:
    """Return the name that is the first argument of a call; empty if it is not a name."""
    return str(getattr(call.args[0], "id", "")) if call.args else ""
