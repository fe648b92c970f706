"""Save a sharded state: `python -m tests.checkpoint.on_eight_devices FOLDER`, with eight devices.

Then restore it on four of them, and on one.
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh

from codegen.runtime.checkpoint import restore, save, save_async
from generated.heat import Grid, Plate, step
from generated.materials import Material

IRON = Material("iron", conductivity=80.0, density=7874.0, specific_heat=449.0)


def make_plate() -> Plate:
    """Create a plate of 8 x 4 different cells."""
    u = jnp.arange(32, dtype=jnp.float32).reshape(8, 4)
    return Plate(u, u + 1, Grid(nx=8, ny=4), IRON, thickness=0.5)


def main() -> None:
    folder = Path(sys.argv[1])
    devices = np.asarray(jax.devices()).reshape(4, 2)
    meshes = [
        Mesh(devices[:rows, :cols], ("rows", "cols"), axis_types=(AxisType.Auto,) * 2)
        for rows, cols in ((4, 2), (2, 2), (1, 1))
    ]
    plate = make_plate()
    placed = jax.device_put(plate, plate.shardings(meshes[0]))
    save(folder / "eight", placed)
    for mesh in meshes:
        like = plate.shardings(mesh)
        back = restore(folder / "eight", Plate, like=like)
        assert back.u.sharding == like.u, back.u.sharding
        assert back == plate
    # Save in the background while the state is donated.
    writing = save_async(folder / "later", placed)
    after = step(placed, 1.0)
    writing.result()
    assert restore(folder / "later", Plate, like=plate.shardings(meshes[0])) == plate
    assert after != plate


if __name__ == "__main__":
    main()
