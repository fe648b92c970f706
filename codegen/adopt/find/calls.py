"""Find calls with a package's classes: registration, jit with static arguments, and donation.

registered(modules, names)
->    {"heat.plate.Plate": [Decorator("jax.tree_util.register_dataclass", ...)]}
jitted(modules, names)
->    (JittedFunction("heat.step", static=("grid",), donated=("plate",), ...),)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import Decorator, SourceModule

REGISTERING_FUNCTIONS = (
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_with_keys",
    "register_static",
)
_JIT = ("jax.jit", "jax._src.api.jit", "jax.pmap", "equinox.filter_jit", "chex.jit")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class JittedFunction(Struct, frozen=True):
    """A jitted function whose definition is in the package."""

    module: SourceModule
    line: int
    name: str
    static: Mapping[str, ast.expr | None]  # parameters and their annotations
    donated: Mapping[str, ast.expr | None]
    owner: str = ""  # the class that defines it as a method


def find_registrations(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> dict[str, list[Decorator]]:
    """Return the library calls that register a package class, by the full name of the class."""
    registrations: dict[str, list[Decorator]] = {}
    for module in modules.values():
        if not any(name in module.text for name in REGISTERING_FUNCTIONS):
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                _add_registration(node, module, names, registrations)
    return registrations


def _add_registration(
    node: ast.Call,
    module: SourceModule,
    names: PackageNames,
    registrations: dict[str, list[Decorator]],
) -> None:
    call = names.decorator(module.name, node)
    if call.name.rpartition(".")[2] not in REGISTERING_FUNCTIONS or not call.name.startswith(
        "jax."
    ):
        return
    named = call.keywords.get("nodetype") or (call.arguments[0] if call.arguments else None)
    name = names.resolve(module.name, named)
    if name:
        rest = Decorator(call.name, call.arguments[1:], call.keywords)
        registrations.setdefault(name, []).append(rest)


def iter_jitted(
    modules: Mapping[str, SourceModule], names: PackageNames
) -> Iterator[JittedFunction]:
    """Yield the functions jitted by a decorator or call, with static or donated arguments."""
    for module in modules.values():
        if "jit" not in module.text and "pmap" not in module.text:
            continue
        functions = {
            one.name: one
            for one in ast.walk(module.tree)
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        owners = {
            id(method): one.name
            for one in ast.walk(module.tree)
            if isinstance(one, ast.ClassDef)
            for method in one.body
        }
        for function in functions.values():
            for decorator in function.decorator_list:
                call = names.decorator(module.name, decorator)
                if call.name in _JIT:
                    owner = owners.get(id(function), "")
                    yield from _jitted_function(call, function, module, function.name, owner)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and node.keywords:
                call = names.decorator(module.name, node)
                if call.name in _JIT and call.arguments:
                    yield from _iter_jit_calls(call, node, functions, module)


def _iter_jit_calls(
    call: Decorator,
    node: ast.Call,
    functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef],
    module: SourceModule,
) -> Iterator[JittedFunction]:
    """Yield `jax.jit(f, ...)` of a function that is defined in the module, or of a lambda."""
    match call.arguments[0]:
        case ast.Name(id=name) if name in functions:
            yield from _jitted_function(call, functions[name], module, name, "", node.lineno)
        case ast.Lambda() as function:
            yield from _jitted_function(call, function, module, "<lambda>", "", node.lineno)


def _jitted_function(
    call: Decorator,
    function: _Function,
    module: SourceModule,
    name: str,
    owner: str,
    line: int | None = None,
) -> Iterator[JittedFunction]:
    parameters = [*function.args.posonlyargs, *function.args.args]
    by_name = {one.arg: one.annotation for one in (*parameters, *function.args.kwonlyargs)}
    order = [one.arg for one in parameters]
    static = _selected_parameters(call, "static", order)
    donated = _selected_parameters(call, "donate", order)
    if static or donated:
        yield JittedFunction(
            module,
            line or function.lineno,
            name,
            {one: by_name.get(one) for one in static},
            {one: by_name.get(one) for one in donated},
            owner,
        )


def _selected_parameters(call: Decorator, option: str, order: list[str]) -> list[str]:
    """Return the parameters that `static_argnums`, `static_argnames` etc. list as literals."""
    chosen: list[str] = []
    for value in _literal_values(call.keywords.get(f"{option}_argnums")):
        if isinstance(value, int) and -len(order) <= value < len(order):
            chosen.append(order[value])
    chosen += [
        value
        for value in _literal_values(call.keywords.get(f"{option}_argnames"))
        if isinstance(value, str)
    ]
    return chosen


def _literal_values(value: ast.expr | None) -> list[object]:
    try:
        literal = ast.literal_eval(value) if value is not None else ()
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return []
    return list(literal) if isinstance(literal, tuple | list | set) else [literal]
