"""In-place stencil updates: a sheet with fixed edges, in red-black order.

    python -m examples.stencil

A Gauss-Seidel sweep writes to the array that it reads. Here it writes to slices of a draft
of the sheet. The compiled program is the same as with `u.at[...].set(...)`.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from codegen.runtime import lift
from generated.stencil import Sheet

HOT = 100.0  # of the edge at x = 0, above the other edges [K]


def heat_edge(draft: Sheet.Draft) -> None:
    """Fix the temperature of the edges: one is hot, the others are at ambient temperature."""
    draft.at.u[0] = HOT
    draft.at.u[-1] = 0.0
    draft.at.u[:, 0] = 0.0
    draft.at.u[:, -1] = 0.0


def sweep(draft: Sheet.Draft, colour: Array) -> Array:
    """Replace every second inner cell by the mean of its neighbours; return the largest change."""
    u = draft.u
    mean = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4
    i, j = np.indices(mean.shape)
    change = jnp.where((i + j) % 2 == colour, mean - u[1:-1, 1:-1], 0.0)
    draft.at.u[1:-1, 1:-1] += change
    return jnp.max(jnp.abs(change))


@partial(jax.jit, static_argnames="sweeps")
def relax(sheet: Sheet, sweeps: int) -> tuple[Sheet, Array]:
    """Return the sheet after red-black sweeps, and the largest change in each, (sweeps,) [K]."""
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
