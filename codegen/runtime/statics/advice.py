"""Advise what to give, or to declare, in place of what is no static value.

A list where a tuple is declared:   `Grid.sizes` takes a tuple[int, ...], ...: use a tuple
"""

from collections.abc import Collection
from typing import Any, Final, TypeAlias

import jax
import numpy as np

from ..keys.messages import Owner, noun

# What is declared, as a remedy needs it: `use a tuple` helps nobody who declared an int.
Wanted: TypeAlias = Collection[str]

# What was given, what has to be declared for it, and what to write.
_REMEDIES: Final[tuple[tuple[type[Any], str, str], ...]] = (
    (jax.Array, "array", "make the {what} dynamic, or give `numpy.asarray(...)` of it"),
    (np.ndarray, "any", "make the {what} dynamic, or declare an array type"),
    (list, "tuple", "use a tuple"),
    (bytearray, "bytes", "use bytes"),
    (set, "frozenset", "use a frozenset"),
    (list, "frozenset", "use a frozenset"),
    (dict, "frozendict", "use a frozendict"),
    (slice, "tuple", "use a tuple of its three numbers"),
)
# Whatever can be a key.
ANY: Final[Wanted] = frozenset(wanted for _, wanted, _ in _REMEDIES)


def instead(value: object, owner: Owner, wanted: Wanted) -> str:
    """Advise what to give in place of a value, where what is wanted can be made of it."""
    for kind, made, remedy in _REMEDIES:
        if made in wanted and isinstance(value, kind):
            return remedy.format(what=noun(owner))
    if isinstance(value, jax.Array | np.ndarray):
        if "tuple" in wanted and value.ndim == 1:
            return "give `tuple(array.tolist())`"
        if "number" in wanted and value.size == 1:
            return "give its `.item()`"
    return ""
