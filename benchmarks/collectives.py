"""Count the collectives of a compiled program, and the bytes that they transfer.

found = collectives(train_step.lower(training, batch).compile())
found["all-reduce"]     # Traffic(collectives=1, bytes=40232)
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np
from jax import numpy as jnp

# Example: `%all-reduce.1 = (f32[128]{0}, f32[]) all-reduce(%a, %b), channel_id=1`
_COLLECTIVE = re.compile(
    r" = (?P<results>.*?) "
    r"(?P<name>all-reduce|all-gather|reduce-scatter|collective-permute|all-to-all)(?:-start)?\("
)
_ARRAY = re.compile(r"(?P<dtype>[a-z]+[0-9a-z]*)\[(?P<sizes>[0-9,]*)\]")
_DTYPES = {"pred": np.dtype(bool), "f32": np.dtype("f4"), "s32": np.dtype("i4")}


class Traffic(NamedTuple):
    """The traffic that collectives bring to each device."""

    collectives: int
    bytes: int

    def plus(self, size: int) -> Traffic:
        """Return the traffic with one more collective."""
        return Traffic(self.collectives + 1, self.bytes + size)


def collectives(compiled: Any) -> dict[str, Traffic]:
    """Count the collectives of a compiled program by kind."""
    found: dict[str, Traffic] = {}
    for match in _COLLECTIVE.finditer(compiled.as_text()):
        size = sum(
            _itemsize(array["dtype"]) * math.prod(map(int, filter(None, array["sizes"].split(","))))
            for array in _ARRAY.finditer(match["results"])
        )
        found[match["name"]] = found.get(match["name"], Traffic(0, 0)).plus(size)
    return found


def total(found: dict[str, Traffic]) -> Traffic:
    """Add up all kinds."""
    return Traffic(
        sum(each.collectives for each in found.values()), sum(each.bytes for each in found.values())
    )


def _itemsize(name: str) -> int:
    known = _DTYPES.get(name)
    if known is not None:
        return known.itemsize
    kinds = {"f": "float", "s": "int", "u": "uint", "bf": "bfloat", "c": "complex"}
    letters = name.rstrip("0123456789")
    return jnp.dtype(kinds[letters] + name.removeprefix(letters)).itemsize
