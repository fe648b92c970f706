# ruff: noqa: F722, F821, UP037
"""Compare checking the shapes of an object with runtime type checkers.

    $ python -m benchmarks.shapes
    a class of five arrays: us
      by hand, constructed        0.58
      generated, constructed      0.99
      generated, check()          0.74
      beartype, constructed     136.17
      beartype, a function      133.14
    check() / what beartype adds   0.006, at most 0.20

The alternatives are: the same class by hand, a dataclass that beartype checks when it is constructed, and a function
of its fields. The last two use the annotations of jaxtyping and its `jaxtyped` context, so dimensions are bound across
fields. The ratio uses the cheaper of the two. Times are minima over many alternating runs, because disturbances only
make a run slower. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import jax.numpy as jnp
from beartype import beartype
from jax import Array
from jaxtyping import Float32, Int32, TypeCheckError, jaxtyped

CHECKOUT = Path(__file__).parents[1]
CALLS = 500

_SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, i32

nx = Dim()
ny = Dim()

class Five:
    a: donated[f32[nx, ny]]
    b: donated[f32[nx, ny]]
    c: dynamic[f32[ny]]
    d: dynamic[f32]
    e: dynamic[i32[ny + 1]]
"""


@dataclass(frozen=True)
class Plain:
    """The same class by hand, unchecked."""

    a: Float32[Array, "nx ny"]
    b: Float32[Array, "nx ny"]
    c: Float32[Array, "ny"]
    d: Float32[Array, ""]
    e: Int32[Array, "ny+1"]


@jaxtyped(typechecker=beartype)
@dataclass(frozen=True)
class Checked:
    """The same class by hand, checked by beartype when it is constructed."""

    a: Float32[Array, "nx ny"]
    b: Float32[Array, "nx ny"]
    c: Float32[Array, "ny"]
    d: Float32[Array, ""]
    e: Int32[Array, "ny+1"]


@jaxtyped(typechecker=beartype)
def check(
    a: Float32[Array, "nx ny"],
    b: Float32[Array, "nx ny"],
    c: Float32[Array, "ny"],
    d: Float32[Array, ""],
    e: Int32[Array, "ny+1"],
) -> None:
    """Check the fields of an existing object."""


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure what checking shapes costs.")
    parser.add_argument("--repeats", type=int, default=40)
    times = measure(_works(_generated()), parser.parse_args().repeats)
    print("a class of five arrays: us")
    for name, seconds in times.items():
        print(f"  {name:<24} {seconds * 1e6:7.2f}")
    built = times["beartype, constructed"] - times["by hand, constructed"]
    added = min(built, times["beartype, a function"])
    ratio = times["generated, check()"] / added
    print(f"check() / what beartype adds   {ratio:.3f}, at most 0.20")


def measure(works: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the minimum seconds of each call."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            started = perf_counter()
            for _ in range(CALLS):
                work()
            times[name].append((perf_counter() - started) / CALLS)
    return {name: min(each) for name, each in times.items()}


def _works(generated: Any) -> dict[str, Callable[[], Any]]:
    arrays = (
        jnp.zeros((4, 5)),
        jnp.zeros((4, 5)),
        jnp.zeros(5),
        jnp.zeros(()),
        jnp.zeros(6, jnp.int32),
    )
    made = generated.Five(*arrays)
    wrong = (*arrays[:4], jnp.zeros(5, jnp.int32))
    # Every checker must find the errors. Otherwise the comparison is meaningless.
    _must_refuse(generated.Five(*wrong).check, ValueError)
    _must_refuse(lambda: Checked(*wrong), TypeCheckError)
    _must_refuse(lambda: check(*wrong), TypeCheckError)
    return {
        "by hand, constructed": lambda: Plain(*arrays),
        "generated, constructed": lambda: generated.Five(*arrays),
        "generated, check()": made.check,
        "beartype, constructed": lambda: Checked(*arrays),
        "beartype, a function": lambda: check(*arrays),
    }


def _must_refuse(work: Callable[[], Any], error: type[Exception]) -> None:
    try:
        work()
    except error:
        return
    raise AssertionError("a wrong size was not found")


def _generated() -> Any:
    """Compile the schema and import the module."""
    folder = tempfile.mkdtemp()
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "five.pyi").write_text(_SCHEMA, encoding="utf-8")
    command = [sys.executable, "-m", "codegen", "-q", "build", "--out", "shapes_made", "schemas"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(command, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("shapes_made.five")


if __name__ == "__main__":
    main()
