"""Measure a build that finds nothing to do, compared with the start of Python.

    $ python -m benchmarks.noop
    python -c pass           9.1 ms
    codegen build           52.4 ms
    difference              43.3 ms, ratio 5.8

The times are minima over many alternating runs, because disturbances only make a run slower.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks import synthetic

CHECKOUT = Path(__file__).parents[1]
CLASSES, FILES = 1000, 100


def measure(repeats: int) -> tuple[float, float]:
    """Return the minimum seconds of `python -c pass` and of a build without changes."""
    with tempfile.TemporaryDirectory() as folder:
        synthetic.write(f"{folder}/schemas", classes=CLASSES, files=FILES)
        build = [sys.executable, "-m", "codegen", "-q", "build"]
        _seconds(build, folder)
        pairs = [
            (_seconds([sys.executable, "-c", "pass"], folder), _seconds(build, folder))
            for _ in range(repeats)
        ]
    starts, builds = zip(*pairs, strict=True)
    return min(starts), min(builds)


def _seconds(command: list[str], folder: str) -> float:
    environment = synthetic.with_bytecode(os.environ, f"{folder}/bytecode") | {
        "PYTHONPATH": str(CHECKOUT),
        "XDG_CACHE_HOME": f"{folder}/cache",
    }
    started = perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return perf_counter() - started


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure a build that finds nothing to do.")
    parser.add_argument("--repeats", type=int, default=30)
    start, build = measure(parser.parse_args().repeats)
    print(f"{'python -c pass':<20} {start * 1e3:6.1f} ms")
    print(f"{'codegen build':<20} {build * 1e3:6.1f} ms")
    print(f"{'difference':<20} {(build - start) * 1e3:6.1f} ms, ratio {build / start:.1f}")


if __name__ == "__main__":
    main()
