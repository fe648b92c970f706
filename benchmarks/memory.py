"""Measure the memory that donation saves: a step over a field of 256 MB, with and without donation.

    $ python -m benchmarks.memory
                                ms a step   MiB at most
      generated                      13.3           492
      generated, step.keep          175.4           760
      ...
    generated / generated, step.keep: time 0.08, memory 0.65

Each variant is measured in a separate process. The peak memory is that of the whole process, including Python and JAX.
The numbers are minima over many steps, and over a few processes that run alternately.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp

CHECKOUT = Path(__file__).parents[1]
# 256 MB of float32.
SIDE = 8192
# The compared variants, by their printed names.
WAYS = {
    "generated": "__call__",
    "generated, step.keep": "keep",
    "jax.jit, donate_argnums": "donating",
    "jax.jit": "plain",
}

_SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

class Field:
    u: donated[f32[n, n]]
    rate: dynamic[f32]

@impl("benchmarks.memory:advance")
def step(field: donated[Field]) -> Field: ...
"""


def advance(field: Any) -> Any:
    """Run the implementation of the generated step."""
    return field.replace(u=_moved(field.u, field.rate))


def _moved(u: jax.Array, rate: jax.Array) -> jax.Array:
    return u + rate * (1.0 - u)


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure what donation saves.")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--way", choices=WAYS, help="measure one, and print JSON")
    parser.add_argument("--folder", help="where the generated package is")
    options = parser.parse_args()
    if options.way:
        print(json.dumps(_measure(options.way, options.folder, options.steps)))
        return
    with tempfile.TemporaryDirectory(prefix="memory-") as folder:
        _generate(folder)
        found: dict[str, list[tuple[float, int]]] = {way: [] for way in WAYS}
        for _ in range(options.processes):
            for way, each in found.items():
                each.append(_in_process(way, folder, options.steps))
    best = {way: (min(t for t, _ in each), min(m for _, m in each)) for way, each in found.items()}
    print("\n".join(_lines(best)))


def _lines(best: dict[str, tuple[float, int]]) -> list[str]:
    lines = [f"{'':<26}{'ms a step':>12}{'MiB at most':>14}"]
    lines += [f"  {way:<24}{taken * 1e3:12.1f}{memory:14}" for way, (taken, memory) in best.items()]
    time, memory = best["generated"]
    for other in ("generated, step.keep", "jax.jit, donate_argnums"):
        ratios = f"time {time / best[other][0]:.2f}, memory {memory / best[other][1]:.2f}"
        lines.append(f"generated / {other}: {ratios}")
    return lines


def _measure(way: str, folder: str, steps: int) -> tuple[float, int]:
    """Return the minimum seconds of a step, and the peak memory of this process in MiB."""
    step, state = _work(WAYS[way], folder)
    times: list[float] = []
    for _ in range(steps + 2):
        started = perf_counter()
        state = jax.block_until_ready(step(state))  # type: ignore[no-untyped-call]
        times.append(perf_counter() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The unit is kB on Linux and bytes on macOS.
    return min(times[2:]), peak // (2**20 if sys.platform == "darwin" else 2**10)


def _work(way: str, folder: str) -> tuple[Callable[[Any], Any], Any]:
    u, rate = jnp.zeros((SIDE, SIDE)), jnp.float32(0.5)
    if way in ("donating", "plain"):
        moved = jax.jit(_moved, donate_argnums=0 if way == "donating" else ())
        return (lambda u: moved(u, rate)), u
    sys.path.insert(0, folder)
    generated = importlib.import_module("memory_generated.memory_field")
    return getattr(generated.step, way), generated.Field(u, rate)


def _in_process(way: str, folder: str, steps: int) -> tuple[float, int]:
    arguments = ["--way", way, "--folder", folder, "--steps", str(steps)]
    command = [sys.executable, "-m", "benchmarks.memory", *arguments]
    ran = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, check=True)
    taken, memory = json.loads(ran.stdout)
    return float(taken), int(memory)


def _generate(folder: str) -> None:
    """Build the schema."""
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "memory_field.pyi").write_text(_SCHEMA, encoding="utf-8")
    Path(folder, "pyproject.toml").write_text('[tool.codegen]\nout = "memory_generated"\n')
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    main()
