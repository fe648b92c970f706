from enum import Enum
from typing import Any

from codegen.schema import dynamic, f32, frozendict, static

class Plan(Enum):  # codegen: was[Scheme]
    A = 1

class Grid(use="static"):
    step: static[float]  # codegen: was[dx]
    sizes: static[frozenset[int]]

class Bar:
    u: dynamic[f32]  # temperature [K]
    number: static[float] = 1.0
    wide: static[complex] = 1 + 0j
    numbers: static[tuple[float, ...] | None] = (1.0, 2)
    named: static[frozendict[str, float]] = frozendict({"a": 1.0})
    scalar: dynamic[float] = 1.0
    first: dynamic[float | int] = 1.0
    held: dynamic[f32] = 1.0
    optional: dynamic[f32 | None] = 1.0
    any_of: static[Any] = frozenset(("a", 1))
    several: static[frozenset[int]] = frozenset((2, 1))
    nested: static[frozenset[tuple[frozenset[int], Plan]]] = frozenset(((frozenset((2, 1)), Plan.A),))
    grid: static[Grid] = Grid(sizes=frozenset((2, 1)), step=1.0)
    retyped: static[Any] = 1
