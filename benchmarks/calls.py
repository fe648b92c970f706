"""How long a call of a generated function takes, beside what people write instead.

    $ python -m benchmarks.calls
    128 by 128, half of the arrays change
      jax.jit                 44.5 us a call
      generated               19.8 us a call
      ...
      generated / jax.jit              0.445, at most 1.00

Ten arrays, five of them donated, and three static values, advanced by `state = step(state)`, for
arrays of several sizes: of 2 by 2, what is measured is the call alone. `jax.jit` is that
over flat arrays, `register_dataclass` and `flax.struct` are classes under `jax.jit`, donated as a
whole, since nothing else can be said of them. Minima over many
runs in turns: what disturbs a run only ever makes it slower. It needs the packages of the extra
`benchmarks`.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import equinox
import jax
import jax.numpy as jnp
from flax import nnx

from benchmarks import calls_model, calls_rivals

CHECKOUT = Path(__file__).parents[1]
CALLS = 100
TITLES = {"half": "half", "whole": "all"}
# How much of the others' time a call of the generated function may take.
MOST = {
    "half": {"jax.jit": 1.0, "equinox.filter_jit": 0.35, "flax.nnx.jit": 0.08},
    "whole": {"jax.jit": 1.2},
}

_SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, impl, static

n = Dim()

class State:
    a: donated[f32[n, n]]
    b: donated[f32[n, n]]
    c: donated[f32[n, n]]
    d: donated[f32[n, n]]
    e: donated[f32[n, n]]
    f: dynamic[f32[n, n]]
    g: dynamic[f32[n, n]]
    h: dynamic[f32[n, n]]
    i: dynamic[f32[n, n]]
    j: dynamic[f32[n, n]]
    order: static[int] = 2
    scale: static[float] = 0.5
    name: static[str] = "state"

@impl("benchmarks.calls_model:half")
def half(state: donated[State]) -> State: ...

@impl("benchmarks.calls_model:whole")
def whole(state: donated[State]) -> State: ...
"""

# Advances a state so many times.
Loop = Callable[[Any, int], Any]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure a call of a generated function.")
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--side", type=int, nargs="+", default=[2, 16, 64, 128])
    options = parser.parse_args()
    generated = _generated()
    for side, name in itertools.product(options.side, TITLES):
        times = measure(_contestants(generated, name, side), options.repeats)
        print(f"{side} by {side}, {TITLES[name]} of the arrays change")
        for line in _lines(times, MOST[name]):
            print(f"  {line}")


def measure(contestants: dict[str, tuple[Loop, Any]], repeats: int) -> dict[str, float]:
    """The seconds that a call of each contestant takes at least."""
    loops = {name: loop for name, (loop, _) in contestants.items()}
    states = {name: loop(state, 2) for name, (loop, state) in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(repeats):
        for name, loop in loops.items():
            started = perf_counter()
            state = loop(states[name], CALLS)
            times[name].append(perf_counter() - started)
            states[name] = jax.block_until_ready(state)  # type: ignore[no-untyped-call]
    return {name: min(each) / CALLS for name, each in times.items()}


def _lines(times: dict[str, float], most: dict[str, float]) -> list[str]:
    lines = [f"{name:<20} {taken * 1e6:7.1f} us a call" for name, taken in times.items()]
    ours = times["generated"]
    for name, taken in times.items():
        if name != "generated":
            limit = f", at most {most[name]:.2f}" if name in most else ""
            lines.append(f"generated / {name:<20} {ours / taken:6.3f}{limit}")
    return lines


def _contestants(generated: Any, name: str, side: int) -> dict[str, tuple[Loop, Any]]:
    def arrays() -> list[jax.Array]:
        return [jnp.full((side, side), float(number)) for number in range(10)]

    by_hand = jax.jit(
        getattr(calls_model, f"{name}_of_arrays"),
        static_argnums=(10, 11, 12),
        donate_argnums=(0, 1, 2, 3, 4),
    )
    step = getattr(calls_model, name)
    whole = jax.jit(step, donate_argnums=0)
    donating = equinox.filter_jit(step, donate="all")
    in_place = nnx.jit(getattr(calls_rivals, name))
    return {
        "jax.jit": (_flat(by_hand), arrays()),
        "generated": (_returning(getattr(generated, name)), generated.State(*arrays())),
        "register_dataclass": (_returning(whole), calls_rivals.make(calls_rivals.Plain, arrays())),
        "flax.struct": (_returning(whole), calls_rivals.make(calls_rivals.Struct, arrays())),
        "equinox.filter_jit": (
            _returning(donating),
            calls_rivals.make(calls_rivals.Module, arrays()),
        ),
        "flax.nnx.jit": (_changing(in_place), calls_rivals.Mutable(*arrays())),
    }


def _flat(step: Callable[..., Any]) -> Loop:
    def loop(state: Any, calls: int) -> Any:
        for _ in range(calls):
            state = step(*state, 2, 0.5, "state")
        return state

    return loop


def _returning(step: Callable[..., Any]) -> Loop:
    def loop(state: Any, calls: int) -> Any:
        for _ in range(calls):
            state = step(state)
        return state

    return loop


def _changing(step: Callable[..., Any]) -> Loop:
    def loop(state: Any, calls: int) -> Any:
        for _ in range(calls):
            step(state)
        return state

    return loop


def _generated() -> Any:
    """The module that a build makes of the schema."""
    folder = tempfile.mkdtemp(prefix="calls-")
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "calls_state.pyi").write_text(_SCHEMA, encoding="utf-8")
    Path(folder, "pyproject.toml").write_text('[tool.codegen]\nout = "calls_generated"\n')
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("calls_generated.calls_state")


if __name__ == "__main__":
    main()
