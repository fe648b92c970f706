"""Compare a step that writes to a draft with one by hand and with flax.nnx.

    $ python -m benchmarks.state
    jax.jit, by hand             77.9 us a step, 592 operations
    jax.jit, with a draft        78.0 us a step, 592 operations
    lift.jit, of a draft        112.6 us a step
    flax.nnx.jit                511.0 us a step
    with a draft / by hand        1.00, at most 1.05 or the same operations

This is the step of `examples.running`: ten arrays, a gradient, running statistics and a key. A draft exists only while
JAX traces, so both versions compile to the same program. Times are minima over many alternating runs, because
disturbances only make a run slower. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array

from benchmarks.state_rivals import NnxRegression, by_hand, with_nnx
from codegen.runtime import lift
from examples.running import step
from generated.running import Regression, Statistics

STEPS = 100
MOST = 1.05

# A function that runs this many steps.
Loop = Callable[[int], Any]


def with_draft(regression: Regression, x: Array, y: Array) -> tuple[Regression, Array]:
    """Run the step of `examples.running` as a function of objects."""
    draft = regression.draft()
    value = step(draft, (x, y))
    return draft.freeze(), value


def make_regression(features: int) -> Regression:
    """Create a regression that has seen no data."""
    zeros = jnp.zeros(features)
    seen = Statistics(mean=zeros, spread=zeros)
    return Regression(weights=zeros, inputs=seen, rng=jax.random.key(0))


def loops(features: int) -> dict[str, Loop]:
    """Return the compiled variants by name."""
    sample = (jnp.ones(features), jnp.ones(()))

    def functional(program: Callable[..., Any], steps: int) -> Any:
        regression = start
        for _ in range(steps):
            regression, _ = program(regression, *sample)
        return regression.weights.block_until_ready()

    def drafted(steps: int) -> Any:
        draft = start.draft()
        for _ in range(steps):
            lifted(draft, sample)
        return draft.weights.block_until_ready()

    def of_nnx(steps: int) -> Any:
        for _ in range(steps):
            nnx_step(model, *sample)
        return model.weights[...].block_until_ready()

    start, model = make_regression(features), NnxRegression(features)
    lifted, nnx_step = lift.jit(step), nnx.jit(with_nnx)
    found: dict[str, Loop] = {
        "jax.jit, by hand": partial(functional, jax.jit(by_hand)),
        "jax.jit, with a draft": partial(functional, jax.jit(with_draft)),
        "lift.jit, of a draft": drafted,
        "flax.nnx.jit": of_nnx,
    }
    for loop in found.values():
        loop(2)
    return found


def measure(found: dict[str, Loop], repeats: int) -> dict[str, float]:
    """Return the minimum seconds of a step by name."""
    least = dict.fromkeys(found, float("inf"))
    for _ in range(repeats):
        for name, loop in found.items():
            started = perf_counter()
            loop(STEPS)
            least[name] = min(least[name], (perf_counter() - started) / STEPS)
    return least


def operations(program: Callable[..., Any], features: int) -> list[str]:
    """Return the sorted operations of the optimized program."""
    arguments = (make_regression(features), jnp.ones(features), jnp.ones(()))
    text = jax.jit(program).lower(*arguments).compile().as_text() or ""
    return sorted(re.findall(r" ([a-z][a-z-]*)\(", text))


def main() -> None:
    """Measure and print; fail if a draft costs anything."""
    parser = argparse.ArgumentParser(description="Measure a step that writes to a draft.")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--features", type=int, default=1000)
    options = parser.parse_args()
    hand, draft = (operations(f, options.features) for f in (by_hand, with_draft))
    counts = {"jax.jit, by hand": hand, "jax.jit, with a draft": draft}
    least = measure(loops(options.features), options.repeats)
    for name, seconds in least.items():
        count = f", {len(counts[name]):3} operations" if name in counts else ""
        print(f"{name:24} {1e6 * seconds:8.1f} us a step{count}")
    by_name = {name: least[name] for name in counts}
    ratio = by_name["jax.jit, with a draft"] / by_name["jax.jit, by hand"]
    limit = f"at most {MOST:.2f} or the same operations"
    print(f"{'with a draft / by hand':24} {ratio:8.2f}, {limit}")
    if hand != draft and ratio > MOST:
        sys.exit("a draft's step is another program, and slower")


if __name__ == "__main__":
    main()
