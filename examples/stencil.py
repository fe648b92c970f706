"""In-place stencil updates: the plate of `examples.heat`, swept red and black.

    python -m examples.stencil

The sweeps of a Gauss-Seidel iteration write to the array that they read. Here they do so to
a draft of the plate, with slices; compiled, it is the program that
`u.at[...].set(...)` would be.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from examples.heat import make_plate
from generated._runtime import lift
from generated.heat import Plate

HOT = 100.0  # of the edge at x = 0, above the others [K]


def heat_edge(draft: Plate.Draft) -> None:
    """Fix the temperature of the edges: one is hot, the others are ambient."""
    draft.at.u[0] = HOT
    draft.at.u[-1] = 0.0
    draft.at.u[:, 0] = 0.0
    draft.at.u[:, -1] = 0.0


def sweep(draft: Plate.Draft, colour: Array) -> Array:
    """Replace every second cell inside by the mean of its neighbours; return the largest change."""
    u = draft.u
    mean = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4
    i, j = np.indices(mean.shape)
    change = jnp.where((i + j) % 2 == colour, mean - u[1:-1, 1:-1], 0.0)
    draft.at.u[1:-1, 1:-1] += change
    return jnp.max(jnp.abs(change))


@partial(jax.jit, static_argnames="sweeps")
def relax(plate: Plate, sweeps: int) -> tuple[Plate, Array]:
    """The plate after red and black sweeps, and the largest change in each, (sweeps,) [K]."""
    draft = plate.draft()
    draft.u = jnp.zeros_like(draft.u)
    heat_edge(draft)
    changes = lift.scan(sweep, draft, jnp.arange(sweeps) % 2)
    return draft.freeze(), changes


def main() -> None:
    """Print the steady temperature along the middle of the plate."""
    plate, changes = relax(make_plate(16), 300)
    print("temperature along the middle [K]:", np.round(np.asarray(plate.u[:, 6]), 1))
    print(f"largest change in the last sweep: {changes[-1]:.1e} K")


if __name__ == "__main__":
    main()
