# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Functions and classes as static values: compared by identity, found by name.

    is_found(numpy.sin)             # True: numpy.sin is that very object
    is_found(lambda x: x)           # False: it is made anew wherever it is written

What is found again is one object for as long as its module is, so an equal copy cannot
exist; and it pickles as its name.
"""

import functools
import importlib
import operator
import sys
import types
from typing import Any

from .messages import Owner, mismatch


def is_found(value: Any) -> bool:
    """Tell whether an object is what its module holds under its own name."""
    module, name = _place(value)
    if not isinstance(name, str) or not isinstance(module, str):
        return False
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


def _place(value: Any) -> tuple[Any, Any]:
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return getattr(value, "__module__", None), name


class ByName:
    """What is pickled in place of an object that is found: its name.

    A function of `jax.jit` pickles as the function inside, which nothing finds.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> tuple[Any, ...]:
        return find, _place(self.value)


def find(module: str, name: str) -> Any:
    """Return what a module holds under a name."""
    return operator.attrgetter(name)(importlib.import_module(module))


def portable(value: Any) -> Any:
    """Return what is to be pickled in place of a static value."""
    kind: Any = type(value)
    make: Any = kind if kind in (tuple, frozenset) else None
    if issubclass(kind, tuple):
        make = getattr(kind, "_make", make)  # of a named tuple
    if make is not None:
        return make(map(portable, value))
    plain = isinstance(value, type | types.FunctionType) or not callable(value)
    return value if plain or not is_found(value) else ByName(value)


def refusal(value: object, owner: Owner, path: str) -> TypeError:
    """Return the error for a function or class that is not found again."""
    named = isinstance(value, functools.partial) or isinstance(_place(value)[1], str)
    remedy = (
        "a lambda, closure, bound method or partial is another object each time it is "
        "made, and would be traced anew; define a function in a module, with `def`"
        if named
        else f"an object of `{type(value).__name__}` has no name of its own; a field of "
        "`static[Any]` takes it, if its class compares and hashes it by value"
    )
    what = "a function or class that its module holds under its own name"
    return mismatch(value, owner, path, what, remedy)
