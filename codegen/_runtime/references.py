"""Functions and classes as static values: compared by identity, found by name.

    is_found(numpy.sin)             # True: numpy.sin is that very object
    is_found(lambda x: x)           # False: it is made anew wherever it is written

What is found again is one object for as long as its module is, so an equal copy cannot
exist; and it pickles as its name.
"""

import sys
from typing import Any

from .messages import Owner, mismatch


def is_found(value: Any) -> bool:
    """Tell whether an object is what its module holds under its own name."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    module = getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(module, str):
        return False
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


def refusal(value: object, owner: Owner, path: str) -> TypeError:
    """Return the error for a function or class that is not found again."""
    return mismatch(
        value,
        owner,
        path,
        "a function or class that its module holds under its own name",
        "a lambda, closure, bound method or partial is another object each time it is "
        "made, and would be traced anew; define a function in a module, with `def`",
    )
