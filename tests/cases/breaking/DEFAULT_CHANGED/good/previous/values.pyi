from enum import Enum
from typing import Any

from codegen.schema import dynamic, f32, frozendict, static

class Scheme(Enum):
    A = 1

class Grid(use="static"):
    dx: static[float]
    sizes: static[frozenset[int]]

class Bar:
    u: dynamic[f32]  # temperature [K]
    number: static[float] = 1
    wide: static[complex] = 1
    numbers: static[tuple[float, ...] | None] = (1, 2.0)
    named: static[frozendict[str, float]] = frozendict(a=1)
    scalar: dynamic[float] = 1
    first: dynamic[float | int] = 1
    held: dynamic[f32] = 1
    optional: dynamic[f32 | None] = 1
    any_of: static[Any] = frozenset((1, "a"))
    several: static[frozenset[int]] = frozenset((1, 2))
    nested: static[frozenset[tuple[frozenset[int], Scheme]]] = frozenset(((frozenset((1, 2)), Scheme.A),))
    grid: static[Grid] = Grid(1, frozenset((1, 2)))
    retyped: static[float] = 1
