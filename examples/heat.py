"""Cool a copper plate, and compare a mode of the heat equation with its analytic decay.

python -m examples.heat
"""

import math
import time
from typing import Literal, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import Array

from generated import heat
from generated.heat import Grid, Plate, Scheme
from generated.materials import Material

Boundary: TypeAlias = Literal["insulated", "ambient"]

COPPER = Material(name="copper", conductivity=401.0, density=8960.0, specific_heat=385.0)
LENGTH_X = 1.0  # [m]
LENGTH_Y = 0.75  # [m]
AMPLITUDE = 50.0  # [K]
CELL_FRACTION = 0.8  # fraction of the longest stable step


def make_plate(
    cells: int,
    scheme: Scheme = Scheme.EXPLICIT,
    boundary: Boundary = "insulated",
    mean: float = 0.0,
) -> Plate:
    """Create a copper plate of cells x (3/4 cells), heated in its first mode.

    Args:
        cells: cells along x, a multiple of 4, so that cells are square.
        scheme: the time integration scheme.
        boundary: the condition at its edges.
        mean: temperature that is added everywhere [K].
    """
    nx, ny = cells, 3 * cells // 4
    grid = Grid(nx=nx, ny=ny, dx=LENGTH_X / nx, dy=LENGTH_Y / ny)
    return Plate(
        u=jnp.asarray(mean + mode(grid, boundary), jnp.float32),
        alpha=jnp.full((nx, ny), COPPER.diffusivity, jnp.float32),
        grid=grid,
        material=COPPER,
        scheme=scheme,
        boundary=boundary,
    )


def mode(grid: Grid, boundary: Boundary) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Compute the first eigenmode of the plate at the cell centres, (nx, ny) [K].

    Its cosines have zero slope at insulated edges, and its sines are zero at ambient edges.

    Source: H. S. Carslaw and J. C. Jaeger, Conduction of Heat in Solids (1959), 5.
    """
    wave = np.cos if boundary == "insulated" else np.sin
    x = (np.arange(grid.nx) + 0.5) / grid.nx
    y = (np.arange(grid.ny) + 0.5) / grid.ny
    return AMPLITUDE * np.outer(wave(np.pi * x), wave(np.pi * y))


def decay_time() -> float:
    """Return the time in which the mode decays by a factor e [s]."""
    wave_number_squared = (math.pi / LENGTH_X) ** 2 + (math.pi / LENGTH_Y) ** 2
    return 1.0 / (COPPER.diffusivity * wave_number_squared)


def run(plate: Plate, end: float, steps: int, chunk: int = 16) -> Plate:
    """Advance the plate to the time end [s]; steps is a multiple of chunk.

    Every call of `heat.step` consumes the buffer of the field `u`, so only one copy of the
    field is in memory, however many steps are taken.
    """
    assert steps % chunk == 0
    for _ in range(steps // chunk):
        plate = heat.step(plate, end / steps, n=chunk)
    return plate


def steps_needed(plate: Plate, end: float, chunk: int = 16) -> int:
    """Return the number of steps to the time end [s], as stability or accuracy requires."""
    step = (
        CELL_FRACTION * float(plate.longest_step)
        if plate.scheme is Scheme.EXPLICIT
        else end / plate.grid.nx
    )
    return chunk * math.ceil(end / step / chunk)


def error(plate: Plate) -> float:
    """Return the largest deviation from the analytic solution, relative to its amplitude."""
    decay = math.exp(-float(plate.t) / decay_time())
    exact = decay * mode(plate.grid, plate.boundary)
    return float(np.max(np.abs(np.asarray(plate.u) - exact))) / (AMPLITUDE * decay)


def report(scheme: Scheme, cells: int) -> str:
    """Simulate one decay time; return a line with the error and the cost."""
    plate = make_plate(cells, scheme)
    end = decay_time()
    steps = steps_needed(plate, end)
    _compile(plate, end / steps)
    started = time.perf_counter()
    plate = run(plate, end, steps)
    plate.u.block_until_ready()
    per_step = (time.perf_counter() - started) / steps
    return f"{scheme.value:22} {cells:5} {steps:7} {error(plate):10.2e} {1e6 * per_step:10.1f}"


def _compile(plate: Plate, dt: float) -> Array:
    """Compile with a copy, because the call consumes a field of its argument."""
    return heat.step(plate.replace(u=plate.u.copy()), dt, n=16).u


def main() -> None:
    """Print the error and the cost of both schemes on three grids."""
    print(f"copper plate {LENGTH_X} m x {LENGTH_Y} m, insulated edges")
    print(f"decay time of the first mode: {decay_time():.1f} s")
    print(f"{'scheme':22} {'cells':>5} {'steps':>7} {'error':>10} {'us/step':>10}")
    for scheme in Scheme:
        for cells in (16, 32, 64):
            print(report(scheme, cells))


if __name__ == "__main__":
    main()
