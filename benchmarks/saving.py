# mypy: disable-error-code="no-untyped-call"
"""Saving and restoring a large state, beside orbax alone.

    $ python -m benchmarks.saving --megabytes 1000
    save     ... s, orbax ... s: 1.01
    restore  ... s, orbax ... s: 1.00

The arrays are the same dict in both. Each is measured by turns, and the least counts.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import orbax.checkpoint.experimental.v1 as ocp

from generated._runtime.checkpoint import pack, restore, save
from generated.heat import Grid, Plate
from generated.materials import Material

MOST = 1.05


def make_plate(megabytes: int) -> Plate:
    """A plate whose two fields take so much together."""
    nx = megabytes * 10**6 // (2 * 4 * 1000)
    iron = Material("iron", conductivity=80.0, density=7874.0, specific_heat=449.0)
    u = jax.random.normal(jax.random.key(0), (nx, 1000))
    return jax.block_until_ready(Plate(u, u + 1, Grid(nx=nx, ny=1000), iron))


def seconds(work: Callable[[], object]) -> float:
    """How long it takes once."""
    started = time.perf_counter()
    jax.block_until_ready(work())
    return time.perf_counter() - started


def main() -> None:
    """Measure and print; fail where ours takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    plate = make_plate(options.megabytes)
    arrays = pack(plate).arrays
    shapes = {name: jax.eval_shape(jnp.asarray, one) for name, one in arrays.items()}
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    asked = {name: one.update(sharding=device) for name, one in shapes.items()}
    least = dict.fromkeys(("save", "orbax save", "restore", "orbax restore"), float("inf"))
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = Path(name) / "ours", Path(name) / "theirs"
        for _ in range(options.repeats):
            for folder in (ours, theirs):
                shutil.rmtree(folder, ignore_errors=True)
            work: dict[str, Callable[[], object]] = {
                "save": lambda: save(ours, plate),
                "orbax save": lambda: ocp.save(theirs, arrays),
                "restore": lambda: restore(ours, Plate),
                "orbax restore": lambda: ocp.load(theirs, asked),
            }
            for what, once in work.items():
                least[what] = min(least[what], seconds(once))
    ratios = {what: least[what] / least[f"orbax {what}"] for what in ("save", "restore")}
    for what, ratio in ratios.items():
        print(f"{what:8} {least[what]:.3f} s, orbax {least[f'orbax {what}']:.3f} s: {ratio:.2f}")
    if max(ratios.values()) > MOST:
        sys.exit(f"more than {MOST} of orbax alone")


if __name__ == "__main__":
    main()
