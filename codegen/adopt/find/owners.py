"""Find which classes of a package the object of an expression can have.

    def poke(box: Box, other):       Owners(...).of(<box>)      ->    {"heat.Box"}
        table = {}                   Owners(...).of(<table>)    ->    set(): no class of the package
        box.u = other.u              Owners(...).of(<other>)    ->    None: unknown

Only annotations, `if isinstance(...)`, `self`, constructor calls, and functions and methods that
return one are read. All else is unknown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.find.package import SourceModule
from codegen.program.graph import reachable
from codegen.schema.stub import dotted

Owner: TypeAlias = "frozenset[str] | None"
"""The classes that an object can have; None if they are unknown."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
NONE: frozenset[str] = frozenset()
_DISPLAYS = (
    *(ast.Constant, ast.Dict, ast.List, ast.Set, ast.Tuple, ast.JoinedStr, ast.Lambda),
    *(ast.DictComp, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Compare),
)
_COPIES = ("copy.copy", "copy.deepcopy", "dataclasses.replace")
_UNKNOWN_BUILTINS = ("builtins.object", "builtins.getattr", "builtins.next", "builtins.super")
_PROTOCOLS = ("abc", "collections", "contextlib", "numbers", "os", "typing")
"""Modules whose names also describe objects of other classes. Other standard modules have classes."""
_OF_CLASS = ("__new__", "__init_subclass__", "__class_getitem__")
_DEPTH_MAX = 20


class NameScope:
    """A function, or the top level of a module, with the expressions that its names get."""

    def __init__(self, outer: NameScope | None, holder: str) -> None:
        self.outer = outer
        self.holder = holder  # the class whose method it is; empty if there is none
        self.own = ""  # the name of its parameter `self`
        self.values: dict[str, list[ast.expr | Owner]] = {}
        self.owners: dict[str, Owner] = {}  # of the names that were asked for

    def find(self, name: str) -> NameScope | None:
        """Return the nearest scope that binds a name."""
        return self if name in self.values else self.outer.find(name) if self.outer else None


class Owners:
    """The classes of expressions in one module."""

    def __init__(self, module: SourceModule, found: FoundClasses) -> None:
        self._module = module.name
        self._found = found
        self._names = found.names
        self._heirs = heirs_by_class(found)

    def heirs(self, name: str) -> frozenset[str]:
        """Return a class, if it is a pytree, and all pytrees that derive from it."""
        return self._heirs.get(name, NONE)

    def of(self, node: ast.expr, scope: NameScope, depth: int = 0) -> Owner:
        """Return the classes that the object of an expression can have."""
        match node:
            case _ if depth > _DEPTH_MAX:
                return None
            case ast.Name(id=name) if (where := scope.find(name)) is not None:
                return self._of_name(name, where, depth)
            case ast.Name() | ast.Attribute() if self._is_defined(node):
                return NONE  # a module, class or function
            case ast.Attribute(attr="__dict__" | "__class__"):
                return NONE
            case ast.Attribute(value=value, attr=attr):
                return self._of_field(self.of(value, scope, depth + 1), attr)
            case ast.Call():
                return self._of_call(node, scope, depth)
            case ast.IfExp(body=body, orelse=other):
                return _union([self.of(one, scope, depth + 1) for one in (body, other)])
            case _:
                return NONE if isinstance(node, _DISPLAYS) else None

    def _of_name(self, name: str, scope: NameScope, depth: int) -> Owner:
        if name not in scope.owners:
            scope.owners[name] = NONE  # for a value that contains the name itself
            scope.owners[name] = _union(
                self.of(one, scope, depth + 1) if isinstance(one, ast.expr) else one
                for one in scope.values[name]
            )
        return scope.owners[name]

    def _is_defined(self, node: ast.expr) -> bool:
        """Return whether a name is imported or defined with `def` or `class`, and not a variable."""
        if dotted(node)[0] not in self._names.defined(self._module):
            return False
        name = self._names.resolve(self._module, node)
        return self._names.assigned(name) is None and (
            isinstance(node, ast.Name) or name in self._heirs or self._names.home(name) is None
        )

    def _of_field(self, owner: Owner, attr: str) -> Owner:
        """Return the classes of a field, from its annotation."""
        owners: list[Owner] = []
        for name in owner or ():
            field = self._found.all_fields(self._found.classes[name]).get(attr)
            owners.append(self.of_annotation(field.annotation, field.module) if field else None)
        return _union(owners) if owners else None

    def _of_call(self, node: ast.Call, scope: NameScope, depth: int) -> Owner:
        name = self._names.resolve(self._module, node.func)
        if name in _COPIES and node.args:
            return self.of(node.args[0], scope, depth + 1)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "replace":
            return self.of(node.func.value, scope, depth + 1)
        if name in self._heirs:
            return frozenset((name,)) & self._found.classes.keys()
        if name.startswith("builtins."):
            return None if name in _UNKNOWN_BUILTINS else NONE
        function = self._names.function(name)
        if function is None and isinstance(node.func, ast.Attribute):
            return self._of_method(node.func, scope, depth)
        return self._of_result(*function) if function is not None else None

    def _of_method(self, called: ast.Attribute, scope: NameScope, depth: int) -> Owner:
        """Return the classes of what a method returns, for an object of known classes."""
        holders = self.of(called.value, scope, depth + 1)
        if isinstance(called.value, ast.Name) and (where := scope.find(called.value.id)):
            own = frozenset((where.holder,))
            holders = own.union(holders or ()) if where.own == called.value.id else holders
        owners: list[Owner] = []
        for holder in holders or ():
            owners += [
                self._of_result(module.name, method)
                for module, node in self._names.with_bases(holder)
                for method in node.body
                if isinstance(method, ast.FunctionDef) and method.name == called.attr
            ]
        return _union(owners) if owners else None

    def _of_result(self, module: str, definition: ast.FunctionDef) -> Owner:
        """Return the classes of what a function returns, from its annotation or its code."""
        if definition.returns is not None:
            return self.of_annotation(definition.returns, module)
        if definition.decorator_list:
            return None
        return _union(self._of_return(module, one) for one in walk_scope(definition.body))

    def _of_return(self, module: str, statement: ast.AST) -> Owner:
        """Return the class that a statement constructs and returns; none if it returns nothing."""
        match statement:
            case ast.Return(value=ast.Call(func=called)):
                cls = self._names.resolve(module, called)
                return frozenset((cls,)) if cls in self._found.classes else None
            case ast.Return(value=ast.expr()) | ast.Yield() | ast.YieldFrom():
                return None
        return NONE

    def of_annotation(self, annotation: ast.expr | None, module: str = "") -> Owner:
        """Return the classes that an annotation names; None if it can also name others."""
        return _union(
            self._of_type(one.name)
            for one in self._names.members(module or self._module, annotation)
        )

    def _of_type(self, name: str) -> Owner:
        if name in self._heirs:
            return self._heirs[name]
        top = name.partition(".")[0]
        is_class = top in sys.stdlib_module_names and top not in _PROTOCOLS
        is_other = is_class and name not in _UNKNOWN_BUILTINS
        return NONE if is_other or name == "typing.Type" else None

    def narrowed(self, node: ast.AST, child: ast.AST, scope: NameScope) -> NameScope:
        """Return the scope of a part of a node: in `if isinstance(x, Plate): ...`, `x` is a plate."""
        match node:
            case ast.If(
                test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), tested]),
                body=body,
            ) if child in body and (where := scope.find(name)) and len(where.values[name]) == 1:
                kinds = tested.elts if isinstance(tested, ast.Tuple) else [tested]
                owners = [self.of_annotation(one) for one in kinds]
                if all(owners):
                    inner = NameScope(scope, scope.holder)
                    inner.own = scope.own
                    inner.values[name] = [_union(owners)]
                    return inner
        return scope

    def scope(self, node: Function, outer: NameScope, holder: str) -> NameScope:
        """Return the scope of a function; `holder` is the class that defines it as a method."""
        scope = NameScope(outer, holder)
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args]
        for one in (*parameters, *arguments.kwonlyargs):
            is_class = one.arg == "cls"
            scope.values[one.arg] = [NONE if is_class else self.of_annotation(one.annotation)]
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                scope.values[extra.arg] = [NONE]
        if isinstance(node, ast.Lambda):
            return scope
        decorators = {ast.unparse(one).rpartition(".")[2] for one in node.decorator_list}
        if holder and parameters and "staticmethod" not in decorators:
            is_of_class = "classmethod" in decorators or node.name in _OF_CLASS
            scope.own = "" if is_of_class else parameters[0].arg
            scope.values[parameters[0].arg] = [NONE if is_of_class else self.heirs(holder)]
        bind(node.body, scope)
        return scope


def bind(body: Iterable[ast.stmt], scope: NameScope) -> None:
    """Add the values that statements give to names; None for all but plain assignments."""
    known: set[ast.Name] = set()
    for node in walk_scope(body):
        match node:
            case (
                ast.Assign(targets=[ast.Name() as target], value=value)
                | ast.AnnAssign(target=ast.Name() as target, value=value)
                | ast.NamedExpr(target=ast.Name() as target, value=value)
            ):
                known.add(target)
                if value is not None:
                    scope.values.setdefault(target.id, []).append(value)
            case ast.Name(id=name, ctx=ast.Store()) if node not in known:
                scope.values.setdefault(name, []).append(None)


def walk_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes, without those inside functions and classes."""
    for node in nodes:
        if not isinstance(node, Function | ast.ClassDef):
            yield node
            yield from walk_scope(ast.iter_child_nodes(node))


def _union(owners: Iterable[Owner]) -> Owner:
    every = list(owners)
    known = [one for one in every if one is not None]
    return NONE.union(*known) if len(known) == len(every) else None


def heirs_by_class(found: FoundClasses) -> Mapping[str, frozenset[str]]:
    """Return, for each class of the package, the pytrees among it and its subclasses."""
    bases = {name: found.names.bases(name) for name in found.names.definitions}
    bases |= {name: [*one.bases] for name, one in found.classes.items()}
    heirs: dict[str, set[str]] = {name: set() for name in bases}
    for name in found.classes:
        for one in reachable([name], lambda one: bases.get(one, ())):
            if one in heirs:
                heirs[one].add(name)
    return {name: frozenset(several) for name, several in heirs.items()}
