"""Decide how to rewrite each source, and which classes the rewrite would break.

changes(decision, adopted, found, names, package)    ->    {"heat.plate": Rewrite(...)}, {}
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from msgspec import Struct, structs

from codegen.adopted.decided.decide import is_plain_base, mixin_name, needs_mixin
from codegen.adopted.decided.nodes import MARK, Decision, Factory, SchemaModule
from codegen.adopted.decided.order import place
from codegen.adopted.finding.calls import REGISTERING
from codegen.adopted.finding.names import PackageNames
from codegen.adopted.finding.nodes import ClassRefusal, Found, SourceClass
from codegen.adopted.finding.reasons import refusal

_STAYING = ("abc.ABC", "typing.Protocol")
_CACHED = ("functools.cached_property",)


class Stays(Struct, frozen=True):
    """A class that is removed, and what remains of it: its mixin."""

    name: str
    mixin: str  # empty if nothing remains
    bases: tuple[str, ...]
    fields: tuple[str, ...]
    has_slots: bool


class Rewrite(Struct, frozen=True):
    """How to rewrite one source."""

    module: str
    classes: tuple[Stays, ...] = ()
    statement: str = ""
    after_line: int = 0
    functions: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Shared values of default factories that use classes or functions of the module."""
    needs_future: bool = False
    removed: frozenset[int] = frozenset()
    """The lines of calls that register these classes."""
    plain: frozenset[str] = frozenset()
    """The classes that stay, without their decorators."""


def changes(
    decision: Decision,
    adopted: Mapping[str, SourceClass],
    found: Found,
    names: PackageNames,
    package: str,
) -> tuple[dict[str, Rewrite], dict[str, tuple[ClassRefusal, ...]]]:
    """Return the rewrites by module, and the classes that cannot be imported in their old place."""
    rewrites: dict[str, Rewrite] = {}
    refused: dict[str, tuple[ClassRefusal, ...]] = {}
    for module in decision.modules:
        classes = {one.name: one for one in adopted.values() if one.module == module.source}
        tree = found.modules[module.source].tree
        for one in classes.values():
            if one.node not in tree.body or _shares_line(one, tree):
                refused[one.full_name] = (refusal("inside a statement", one.line),)
            elif sum(_binds(each, one.name) for each in ast.walk(tree)) > 1:
                refused[one.full_name] = (refusal("defined twice", one.line),)
        refused |= _clashing(classes, decision, tree, found)
        calls, elsewhere = _registrations(module.source, classes, found, names)
        for name, where in elsewhere.items():
            reason = refusal("registered elsewhere", adopted[name].line, place=where)
            refused[name] = (reason,)
        nodes = {one.name: one.node for one in classes.values()}
        factories = [one for one in decision.factories if one.module == module.source]
        needed = _needed(module, classes, found)
        functions = [_function(one) for one in factories]
        shared = {one: _names(one.expression) for one in factories if one.is_shared}
        needed |= {name for read in shared.values() for name in read} - {*classes}
        late = [one for one, read in shared.items() if read & _defined(tree)]
        placed = place(tree, nodes, needed, calls)
        for name in placed.late:
            reason = refusal("order", classes[name].line, line_used=placed.use)
            refused.setdefault(classes[name].full_name, (reason,))
        rewrites[module.source] = Rewrite(
            module=module.source,
            classes=tuple(_stays(one, found, names) for one in classes.values()),
            statement=_statement(f"{package}.{module.name}", sorted(classes)),
            after_line=(tree.body[placed.after].end_lineno or 0) if placed.after >= 0 else 0,
            functions=(*(_value(one) for one in shared if one not in late), *functions),
            values=tuple(map(_value, late)),
            needs_future=placed.needs_future,
            removed=calls,
        )
    return rewrites, refused


def with_mixins(
    rewrites: Mapping[str, Rewrite],
    mixins: Mapping[str, SourceClass],
    adopted: Mapping[str, SourceClass],
) -> dict[str, Rewrite]:
    """Return the rewrites, extended by the bases without fields that adopted classes have."""
    whole = dict(rewrites)
    waiting = [base for one in adopted.values() for base in one.bases]
    while waiting:
        one = mixins.get(waiting.pop())
        known = whole.get(one.module, Rewrite(one.module)) if one is not None else None
        if one is not None and known is not None and one.name not in known.plain:
            whole[one.module] = structs.replace(known, plain=known.plain | {one.name})
            waiting += one.bases
    return whole


def _names(expression: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(expression)) if isinstance(one, ast.Name)}


def _defined(tree: ast.Module) -> set[str]:
    """Return the names of the functions and classes of a module."""
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}


def _value(one: Factory) -> str:
    return f"{one.name}_value = {one.expression}\n"


def _function(one: Factory) -> str:
    value = f"{one.name}_value" if one.is_shared else one.expression
    return f"def {one.name}():\n    return {value}\n"


def _clashing(
    classes: Mapping[str, SourceClass], decision: Decision, tree: ast.Module, found: Found
) -> dict[str, tuple[ClassRefusal, ...]]:
    """Refuse classes whose mixin or default factory would have a name that is already used."""
    stays = [
        (mixin_name(one), one.full_name) for one in classes.values() if needs_mixin(one, found)
    ]
    known = {one.full_name: one for one in classes.values()}
    stays += [(one.name, one.owner) for one in decision.factories if one.owner in known]
    names = [name for name, _ in stays]
    return {
        owner: (refusal("name taken", known[owner].line, name=name),)
        for name, owner in stays
        if names.count(name) > 1 or any(_binds(each, name) for each in ast.walk(tree))
    }


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.ClassDef(name=bound) | ast.FunctionDef(name=bound):
            return bound == name
        case ast.Name(id=bound, ctx=ast.Store() | ast.Del()):
            return bound == name
        case _:
            return False


def _registrations(
    module: str, classes: Mapping[str, SourceClass], found: Found, names: PackageNames
) -> tuple[frozenset[int], dict[str, str]]:
    """Return the lines that only register these classes, and other places that register them."""
    full_names = {one.full_name for one in classes.values()}
    calls: set[int] = set()
    elsewhere: dict[str, str] = {}
    for other in found.modules.values():
        if not any(name in other.text for name in REGISTERING):
            continue
        plain = {id(one.value): one for one in other.tree.body if isinstance(one, ast.Expr)}
        for node in ast.walk(other.tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = names.resolve(other.name, node.args[0])
            called = names.resolve(other.name, node.func).rpartition(".")[2]
            if name not in full_names or called not in REGISTERING:
                continue
            if other.name == module and id(node) in plain:
                calls.add(node.lineno)
            else:
                elsewhere[name] = f"{other.path}:{node.lineno}"
    return frozenset(calls), elsewhere


def _shares_line(one: SourceClass, tree: ast.Module) -> bool:
    last = one.node.end_lineno
    return any(
        other is not one.node and other.lineno <= (last or 0) <= (other.end_lineno or 0)
        for other in tree.body
    )


def _needed(module: SchemaModule, classes: Mapping[str, SourceClass], found: Found) -> set[str]:
    """Return the names that the generated module imports from the source."""
    text = " ".join(
        part
        for one in module.classes
        for part in (*one.bases, *(each.type + each.default for each in one.fields))
    )
    marked = re.findall(f"{MARK}([^{MARK}:]*):([^{MARK}]*){MARK}", text)
    imported = {name for source, name in marked if source == module.source and name}
    mixins = {mixin_name(one): one.name for one in classes.values() if needs_mixin(one, found)}
    return {mixins.get(name) or name for name in imported}


def _stays(one: SourceClass, found: Found, names: PackageNames) -> Stays:
    bases = [
        ast.unparse(base)
        for base in one.node.bases
        if (name := names.resolve(one.module, base)) in _STAYING or is_plain_base(one, name, found)
    ]
    cached = any(
        names.resolve(one.module, decorator) in _CACHED
        for method in one.methods.values()
        for decorator in method.decorator_list
    )
    return Stays(
        name=one.name,
        mixin=mixin_name(one) if needs_mixin(one, found) else "",
        bases=tuple(bases),
        fields=tuple(each.name for each in one.fields),
        has_slots=not cached and "__slots__" not in ast.dump(one.node),
    )


def _statement(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}  # noqa: E402\n"
    if len(line) <= 89:
        return line
    inner = "".join(f"    {name},\n" for name in names)
    return f"from {module} import (  # noqa: E402\n{inner})\n"
