"""In-place stencil updates: a sheet with held edges, swept red and black.

    python -m examples.stencil

The sweeps of a Gauss-Seidel iteration write to the array that they read. Here they do so to
a draft of the sheet, with slices; compiled, it is the program that
`u.at[...].set(...)` would be.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from generated._runtime import lift
from generated.stencil import Sheet

HOT = 100.0  # of the edge at x = 0, above the others [K]


def heat_edge(draft: Sheet.Draft) -> None:
    """Fix the temperature of the edges: one is hot, the others are ambient."""
    draft.at.u[0] = HOT
    draft.at.u[-1] = 0.0
    draft.at.u[:, 0] = 0.0
    draft.at.u[:, -1] = 0.0


def sweep(draft: Sheet.Draft, colour: Array) -> Array:
    """Replace every second cell inside by the mean of its neighbours; return the largest change."""
    u = draft.u
    mean = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4
    i, j = np.indices(mean.shape)
    change = jnp.where((i + j) % 2 == colour, mean - u[1:-1, 1:-1], 0.0)
    draft.at.u[1:-1, 1:-1] += change
    return jnp.max(jnp.abs(change))


@partial(jax.jit, static_argnames="sweeps")
def relax(sheet: Sheet, sweeps: int) -> tuple[Sheet, Array]:
    """The sheet after red and black sweeps, and the largest change in each, (sweeps,) [K]."""
    draft = sheet.draft()
    heat_edge(draft)
    changes = lift.scan(sweep, draft, jnp.arange(sweeps) % 2)
    return draft.freeze(), changes


def main() -> None:
    """Print the steady temperature along the middle of the sheet."""
    sheet, changes = relax(Sheet.abstract(nx=16, ny=12).zeros(), 300)
    print("temperature along the middle [K]:", np.round(np.asarray(sheet.u[:, 6]), 1))
    print(f"largest change in the last sweep: {changes[-1]:.1e} K")


if __name__ == "__main__":
    main()
