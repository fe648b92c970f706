"""Find calls with a package's classes: registration, jit with static arguments, and donation.

iter_registrations(modules, names)
->    Registration("heat.plate.Plate", <module heat.plate>, <call>, Decorator("jax.tree_util.register_dataclass")), ...
iter_jitted(modules, names)
->    JittedFunction("heat.step", static=("grid",), donated=("plate",), ...), ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

from codegen.adopt.find.names import Decorator, PackageNames
from codegen.adopt.find.package import SourceModule
from codegen.adopt.libraries import REGISTERING

_JIT = ("jax.jit", "jax._src.api.jit", "jax.pmap", "equinox.filter_jit", "chex.jit")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Registration(Struct, frozen=True):
    """A call of a library function that registers a class."""

    cls: str
    """The absolute name of the class."""
    module: SourceModule
    node: ast.Call
    call: Decorator
    """The call without the class, like a decorator."""


class JittedFunction(Struct, frozen=True):
    """A jitted function whose definition is in the package."""

    module: SourceModule
    line: int
    name: str
    static: Mapping[str, ast.expr | None]  # parameters and their annotations
    donated: Mapping[str, ast.expr | None]
    owner: str = ""  # the class that defines it as a method


def iter_registrations(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> Iterator[Registration]:
    """Yield the library calls that register a named class."""
    for module in modules.values():
        for node in ast.walk(module.tree) if "register_" in module.text else ():
            if not isinstance(node, ast.Call):
                continue
            call = names.decorator(module.name, node)
            named = call.keywords.get("nodetype") or next(iter(call.arguments), None)
            name = names.resolve(module.name, named)
            if name and call.name.startswith("jax.") and call.name in REGISTERING:
                rest = Decorator(call.name, call.arguments[1:], call.keywords)
                yield Registration(name, module, node, rest)


def iter_jitted(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> Iterator[JittedFunction]:
    """Yield the functions jitted by a decorator or call, with static or donated arguments."""
    for module in modules.values():
        if "jit" not in module.text and "pmap" not in module.text:
            continue
        nodes = [*ast.walk(module.tree)]
        functions = {
            one.name: one
            for one in nodes
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        owners = {
            id(method): one.name
            for one in nodes
            if isinstance(one, ast.ClassDef)
            for method in one.body
        }
        for function in functions.values():
            for decorator in function.decorator_list:
                call = names.decorator(module.name, decorator)
                owner = owners.get(id(function), "")
                yield from _jitted_function(call, function, module, function.name, owner)
        for node in nodes:
            if isinstance(node, ast.Call) and node.keywords:
                call = names.decorator(module.name, node)
                match call.arguments[:1]:
                    case (ast.Name(id=name),) if name in functions:
                        jitted: _Function = functions[name]
                    case (ast.Lambda() as jitted,):
                        name = "<lambda>"
                    case _:
                        continue
                yield from _jitted_function(call, jitted, module, name, "", node.lineno)


def _jitted_function(
    call: Decorator,
    function: _Function,
    module: SourceModule,
    name: str,
    owner: str,
    line: int | None = None,
) -> Iterator[JittedFunction]:
    if call.name not in _JIT:
        return
    parameters = [*function.args.posonlyargs, *function.args.args]
    by_name = {one.arg: one.annotation for one in (*parameters, *function.args.kwonlyargs)}
    order = [one.arg for one in parameters]
    static, donated = (
        {one: by_name.get(one) for one in _selected_parameters(call, option, order)}
        for option in ("static", "donate")
    )
    if static or donated:
        yield JittedFunction(module, line or function.lineno, name, static, donated, owner)


def _selected_parameters(call: Decorator, option: str, order: list[str]) -> list[str]:
    """Return the parameters that `static_argnums`, `static_argnames` etc. list as literals."""
    numbers = _literal_values(call.keywords.get(f"{option}_argnums"))
    names = _literal_values(call.keywords.get(f"{option}_argnames"))
    last = len(order)
    return [
        *(order[one] for one in numbers if isinstance(one, int) and -last <= one < last),
        *(one for one in names if isinstance(one, str)),
    ]


def _literal_values(value: ast.expr | None) -> list[object]:
    try:
        literal = ast.literal_eval(value) if value is not None else ()
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return []
    return list(literal) if isinstance(literal, tuple | list | set) else [literal]
