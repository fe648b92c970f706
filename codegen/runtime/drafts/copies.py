# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Copies of the lists and dicts in a draft's field, which are given out to be read."""

import copy
import itertools
from typing import Any


def copied(value: Any) -> Any:
    """Copy the lists and dicts of a value, and keep all else."""
    if isinstance(value, dict):
        made: Any = copy.copy(value)
        for key, item in value.items():
            made[key] = copied(item)
        return made
    if isinstance(value, list):
        made = copy.copy(value)
        made[:] = map(copied, value)
        return made
    if type(value) is tuple:
        return tuple(map(copied, value))
    make: Any = getattr(value, "_make", None)  # of a named tuple
    if isinstance(value, tuple) and make is not None:
        return make(map(copied, value))
    return value


def is_copy(given: Any, value: Any) -> bool:
    """Tell whether a copy is still as it was given out."""
    if type(given) is not type(value):
        return False
    if isinstance(value, dict):
        pairs = zip(given.values(), value.values(), strict=False)
        return [*given] == [*value] and all(itertools.starmap(is_copy, pairs))
    if isinstance(value, list | tuple):
        return len(given) == len(value) and all(map(is_copy, given, value))
    return given is value
