from typing import Any

from codegen.schema import dynamic, f32, static

class Grid(use="static"):
    size: static[Any]

class Bar:
    u: dynamic[f32]  # temperature [K]
    number: static[Any] = 1.0
    truth: static[Any] = True
    zero: static[float] = -0.0
    imaginary: static[complex] = -0j
    pair: static[tuple[float, ...]] = (-0.0,)
    either: dynamic[int | float] = 1.0
    held: dynamic[f32] = -0.0
    grid: static[Grid] = Grid(1.0)
    others: static[frozenset[Any]] = frozenset((2, True))
