"""Measure the peak memory of a step of `heat` that donates single fields, nothing, or everything.

    $ python -m benchmarks.scaling --gpu
    there is no GPU here: the peak memory is planned by the compiler, not measured
    a plate of 2 arrays of 4 MiB, and one step of heat conduction
      donated       planned  measured  per field / this
      per field      24 MiB         -              1.00   alpha, which is only read, stays usable
      nothing        32 MiB         -              0.75   the old plate stays usable
      everything     24 MiB         -              1.00   nothing of the old plate stays usable

"Planned" is the memory that XLA allocates for arguments, results and temporaries, on any backend. "Measured" is the
peak of the GPU allocator, with one process for each row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from examples import heat_model
from examples.heat import COPPER
from generated.heat import Grid, Plate, step

CHECKOUT = Path(__file__).parents[1]
SIDES = {"gpu": 16384, "cpu": 1024}
MODES = {
    "per field": "`alpha`, which is only read, stays usable",
    "nothing": "the old plate stays usable",
    "everything": "nothing of the old plate stays usable",
}
MIB = 2**20


def main() -> None:
    """Print one row for each way to donate."""
    side, found = peaks()
    if jax.default_backend() != "gpu":
        print("there is no GPU here: the peak memory is planned by the compiler, not measured")
    print(f"a plate of 2 arrays of {4 * side**2 / MIB:.0f} MiB, and one step of heat conduction")
    ours = found["per field"]
    print(f"  {'donated':<11} {'planned':>9} {'measured':>9} {'per field / this':>17}")
    for mode, (planned, measured) in found.items():
        shown = "-" if measured is None else f"{measured / MIB:.0f} MiB"
        ratio = ours[0] / planned if measured is None or ours[1] is None else ours[1] / measured
        print(f"  {mode:<11} {planned / MIB:5.0f} MiB {shown:>9} {ratio:17.2f}   {MODES[mode]}")


def peaks() -> tuple[int, dict[str, tuple[int, int | None]]]:
    """Return the side of the plate, and for each way to donate the planned and the measured peak."""
    side = SIDES["gpu" if jax.default_backend() == "gpu" else "cpu"]
    return side, {mode: _in_a_process(mode, side) for mode in MODES}


def measure(mode: str, side: int) -> tuple[int, int | None]:
    """Return the planned peak of a step in bytes, and on a GPU also the measured peak."""
    grid = Grid(nx=side, ny=side)
    u = jnp.ones((side, side), jnp.float32)
    plate = Plate(u=u, alpha=jnp.full((side, side), COPPER.diffusivity), grid=grid, material=COPPER)
    del u
    dt = jnp.float32(0.1)
    # The hand-written step donates the whole plate or nothing.
    donated = {"per field": None, "nothing": (), "everything": (0,)}[mode]
    run: Any = step
    if donated is not None:
        run = jax.jit(heat_model.step, static_argnums=2, donate_argnums=donated)
    compiled = run.lower(plate, dt, 1).compile()
    memory: Any = compiled.memory_analysis()
    planned = (
        memory.argument_size_in_bytes
        + memory.output_size_in_bytes
        + memory.temp_size_in_bytes
        - memory.alias_size_in_bytes
    )
    new = run(plate, dt, 1)
    new.u.block_until_ready()
    stats = jax.devices()[0].memory_stats()
    return planned, stats["peak_bytes_in_use"] if stats else None


def _in_a_process(mode: str, side: int) -> tuple[int, int | None]:
    command = [sys.executable, "-m", "benchmarks.donated_memory", mode, str(side)]
    # Allocate on demand, instead of most of the memory at once, and do not try kernels out, which
    # takes more memory than the step.
    environment = os.environ | {
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        "XLA_FLAGS": "--xla_gpu_autotune_level=0",
    }
    done = subprocess.run(
        command, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.PIPE
    )
    planned, measured = json.loads(done.stdout)
    return planned, measured


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
