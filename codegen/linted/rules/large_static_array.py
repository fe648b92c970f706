"""A large array in the trace key.

table: static[f32[512, 512]]    ->    LARGE_STATIC_ARRAY: 262144 numbers in the trace key
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from codegen.checked.places import places
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.types import Array, Size, walk

# XLA folds constants, and copies each into every program that uses it.
SIZE_MAX: Final = 1 << 16


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each static array whose fixed sizes alone make it large."""
    for place in places(linting.program):
        if place.role != "static":
            continue
        for part in walk(place.type):
            if not isinstance(part, Array):
                continue
            size = prod(dim.value for dim in part.shape if isinstance(dim, Size))
            if size > SIZE_MAX:
                yield linting.warn(
                    Code.LARGE_STATIC_ARRAY,
                    place.source,
                    part.span,
                    f"{place.what} holds at least {size} numbers in the trace key",
                    label="hashed, compared, and compiled into every program",
                    advice="write `dynamic[...]`: an array that never changes is not "
                    "copied by a call",
                )
