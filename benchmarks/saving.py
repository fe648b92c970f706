# mypy: disable-error-code="no-untyped-call"
"""Compare saving and restoring a large state with plain orbax.

    $ python -m benchmarks.saving --folder /dev/shm
    | 1000 MB | codegen [s] | orbax itself [s] | ratio |
    |---|---|---|---|
    | save | ... | ... | 1.00 |
    | save, CPU | ... | ... | 1.00 |
    | ...

Both save the same dict of arrays. They run alternately and take turns being first. The reported time is the minimum,
as wall-clock time and as CPU time of all threads. Results on a disk that other programs write to are unreliable. Use
`--folder` with a folder in memory to measure only the work. `--write` writes the part of docs/benchmarks/saving.md for
the installed minor version of JAX.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import jax
import jax.numpy as jnp
import orbax.checkpoint.experimental.v1 as ocp

from benchmarks import pages
from codegen.runtime.checkpoint import pack, restore, save
from generated.heat import Grid, Plate
from generated.materials import Material

MOST = 1.05
OURS, THEIRS = "codegen", "orbax itself"


def make_plate(megabytes: int) -> Plate:
    """Create a plate whose two fields have this size together."""
    nx = megabytes * 10**6 // (2 * 4 * 1000)
    iron = Material("iron", conductivity=80.0, density=7874.0, specific_heat=449.0)
    u = jax.random.normal(jax.random.key(0), (nx, 1000))
    return jax.block_until_ready(Plate(u, u + 1, Grid(nx=nx, ny=1000), iron))


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall-clock and CPU seconds of one run, starting with nothing left to flush to disk."""
    os.sync()
    started, began = time.perf_counter(), time.process_time()
    jax.block_until_ready(work())
    return time.perf_counter() - started, time.process_time() - began


def measured(plate: Plate, folder: Path, repeats: int) -> dict[str, dict[str, float]]:
    """Return the minimum times of saving and restoring, by library."""
    arrays = pack(plate).arrays
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    asked = {
        name: jax.eval_shape(jnp.asarray, one).update(sharding=device)
        for name, one in arrays.items()
    }
    ours, theirs = folder / "ours", folder / "theirs"
    work: dict[str, dict[str, Callable[[], object]]] = {
        "save": {
            OURS: lambda: save(ours, plate, overwrite=True),
            THEIRS: lambda: ocp.save(theirs, arrays, overwrite=True),
        },
        "restore": {OURS: lambda: restore(ours, Plate), THEIRS: lambda: ocp.load(theirs, asked)},
    }
    rows = [row for what in work for row in (what, f"{what}, CPU")]
    least = {row: dict.fromkeys((OURS, THEIRS), float("inf")) for row in rows}
    for turn in range(2 * repeats):
        for what, each in work.items():
            for who in (OURS, THEIRS) if turn % 2 else (THEIRS, OURS):
                for row, taken in zip((what, f"{what}, CPU"), seconds(each[who]), strict=True):
                    least[row][who] = min(least[row][who], taken)
    return least


def table(least: dict[str, dict[str, float]], megabytes: int) -> str:
    """Format the times in Markdown."""
    lines = [f"| {megabytes} MB | {OURS} [s] | {THEIRS} [s] | ratio |", "|---|---|---|---|"]
    for what, each in least.items():
        ours, theirs = each[OURS], each[THEIRS]
        lines.append(f"| {what} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print; fail if a ratio exceeds its target."""
    parser = argparse.ArgumentParser(description="Save and restore, beside orbax itself.")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5, help="half of the turns")
    parser.add_argument("--folder", type=Path, help="where to save; else a temporary folder")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/saving.md")
    options = parser.parse_args()
    plate = make_plate(options.megabytes)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        least = measured(plate, Path(name), options.repeats)
    text = table(least, options.megabytes)
    print(text)
    if options.write:
        made = f"With jax {jax.__version__}, orbax {version('orbax-checkpoint')}, CPython "
        place = options.folder or tempfile.gettempdir()
        made += f"{platform.python_version()}, on two cores, in `{place}`:"
        part = pages.part_of_this_jax("benchmarks.saving")
        pages.write("docs/benchmarks/saving.md", part, f"{made}\n\n{text}")
    if max(each[OURS] / each[THEIRS] for each in least.values()) > MOST:
        sys.exit(f"more than {MOST} of orbax itself")


if __name__ == "__main__":
    main()
