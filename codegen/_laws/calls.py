# pyright: reportPrivateUsage=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""The law of functions: equal arguments, built anew, are traced once.

called(heat.step, plate=donated(any_Plate), n=static(integer))      # draws arguments
trace_once(heat.step, arguments, other)
"""

from __future__ import annotations

import functools
import types
from dataclasses import replace
from typing import Any

import jax

from .draw import Draw
from .recipes import Field, Made
from .roles import ROLES


class Arguments(types.SimpleNamespace):
    """The arguments of a call, as attributes."""


class _Called(Made[Arguments]):
    """How arguments are drawn: they are no object that others are within."""

    def draw(self, draw: Draw) -> Arguments:
        return super().draw(replace(draw, depth=draw.depth - 1))


def called(function: Any, /, **parameters: Field) -> Made[Arguments]:
    """Draw the arguments of a function, from recipes of all its parameters."""
    kind = type(function.__name__, (Arguments,), {})
    ROLES[kind] = {name: declared.role for name, declared in parameters.items()}
    return _Called(kind, parameters)


def trace_once(function: Any, one: Arguments, other: Arguments) -> None:
    """A call with equal arguments, built anew, finds the program of the first.

    What is called takes arguments as the function does, and runs nothing of yours.
    """
    parameters = function._parameters  # noqa: SLF001
    names = {
        "static": [*parameters.static],
        "donated": [*parameters.donated],
        "weak": [*parameters.weak],
    }

    def nothing(*_: object) -> None:
        pass

    bind = function._bind  # noqa: SLF001
    twin = type(function)(
        bind,
        nothing,
        jit=functools.partial(jax.jit, static_argnums=0),
        name=function.__name__,
        **names,
    )
    for arguments in (one, other, one):
        twin.eval_shape(**vars(arguments))
    assert len(twin.traces) == 1, f"equal arguments were traced again: {twin.traces}"
