"""All that a call may differ in from the one before."""

from collections.abc import Callable
from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, impl, key, stacked, static

nx = Dim()
ny = Dim()
n = Dim()
depth = Dim()

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

class Block:
    w: dynamic[f32[nx + 1, ny]]

@impl("traced_impl:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate by n steps of dt [s]."""

@impl("traced_impl:evaluate")
def evaluate(law: dynamic[Law], values: dynamic[Any], options: static[Any]) -> f32:
    """Evaluate a law."""

@impl("traced_impl:step", traces=2)
def limited(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate, for which two programs are enough."""

@impl("traced_impl:measure")
def measure(
    x: dynamic[f32[n] | None],
    rows: dynamic[tuple[f32[nx, ny], ...]],
    pair: dynamic[tuple[f32[n], f32[nx]]],
    many: dynamic[dict[str, f32[..., n]]],
    blocks: dynamic[stacked[Block, depth]],
) -> f32:
    """Measure arrays outside of objects, and a stack of objects."""
