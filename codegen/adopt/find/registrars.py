"""Find the library call with which a function of a package registers the class that it is given.

def pytree(cls=None, *, frozen=True):            ->    "jax.tree_util.register_dataclass", (),
    made = dataclass(cls, frozen=frozen)               {"frozen": <True>}, {"_is_pytree"}
    made._is_pytree = True
    return register_dataclass(made)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from msgspec import Struct, field

_DATACLASS = "dataclasses.dataclass"


class Decorator(Struct, frozen=True):
    """A decorator, base or registering call with its arguments; aliases and partials resolved."""

    name: str  # Example: "flax.struct.dataclass"
    arguments: tuple[ast.expr, ...] = ()
    keywords: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr])


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
