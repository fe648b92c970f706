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
from collections.abc import Callable
from typing import Any

import numpy as np

from .messages import Owner, mismatch
from .views import attributes, holds_arrays, is_foreign_dataclass, rebuilt


def is_found(value: Any) -> bool:
    """Tell whether an object is what its module holds under its own name."""
    if value is type(None):
        return True  # In no module, but pickle knows it.
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


class Made:
    """What is pickled in place of a value that would not come back the same."""

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self.made = make, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self.made


def find(module: str, name: str) -> Any:
    """Return what a module holds under a name."""
    return operator.attrgetter(name)(importlib.import_module(module))


def portable(value: Any) -> Any:
    """Return what is to be pickled in place of a static value."""
    kind: Any = type(value)
    make: Any = kind if kind is tuple or kind is frozenset else None
    if issubclass(kind, tuple):
        make = getattr(kind, "_make", make)  # of a named tuple
    if make is not None:
        return make(map(portable, value))
    if kind is np.str_ or kind is np.bytes_:
        # NumPy would drop the zeros at its end.
        return Made(kind, value[:])
    if is_foreign_dataclass(kind) and holds_arrays(value):
        items = {name: _in_memory(item) for name, item in attributes(value)}
        return Made(rebuilt, kind, items)
    plain = isinstance(value, type | types.FunctionType) or not callable(value)
    if plain or not is_found(value):
        return value
    # A function of `jax.jit` pickles as the function inside, which nothing finds.
    return Made(find, *_place(value))


def _in_memory(value: Any) -> Any:
    """Return what is pickled for an array whose memory has to be a `bytes` again."""
    if type(value) is np.ndarray:
        return Made(np.ndarray, value.shape, value.dtype, value.base)
    if isinstance(value, tuple):
        kind: Any = type(value)
        return getattr(kind, "_make", kind)(map(_in_memory, value))
    return portable(value)


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
