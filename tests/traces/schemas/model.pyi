"""All that a call may differ in from the one before."""

from collections.abc import Callable
from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, impl, key, static

nx = Dim()
ny = Dim()

class Grid:
    n: static[int] = 4
    names: static[tuple[str, ...]] = ()

class Law(abstract=True):
    k: dynamic[f32] = 1.0

class Linear(Law): ...

class Cubic(Law):
    m: dynamic[f32] = 3.0

class Plate:
    u: donated[f32[nx, ny]]
    alpha: dynamic[f32[nx]]
    grid: static[Grid]
    law: dynamic[Law]
    thickness: static[float] = 0.001
    source: static[Callable[[f32], f32] | None] = None
    rng: dynamic[key | None] = None
    layers: dynamic[tuple[f32[nx], ...]] = ()
    table: dynamic[dict[str, f32]]

@impl("traced_impl:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate by n steps of dt [s]."""

@impl("traced_impl:evaluate")
def evaluate(law: dynamic[Law], values: dynamic[Any], options: static[Any]) -> f32:
    """Evaluate a law."""

@impl("traced_impl:step", traces=2)
def limited(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate, for which two programs are enough."""
