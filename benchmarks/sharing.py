"""Measure the cost of sharing: declared, with `preserve_identities`, and with flax.nnx.

    $ python -m benchmarks.sharing
    a call of a compiled function
      jax.jit, nothing shared            17.8 us
      jax.jit, declared                  ...
      preserve_identities(jax.jit) / jax.jit, nothing shared    2.10, at most 3.00
    ...

The model has a dozen objects. A table is in the model and in two of its five blocks. Times are minima over many
alternating runs, because disturbances only make a run slower. The exit status is 1 if a target is missed. This needs
the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
from flax import nnx

from benchmarks import sharing_rivals
from codegen.runtime import preserve_identities

CHECKOUT = Path(__file__).parents[1]
CALLS = 200
# The maximum ratio of a variant to the first one of its row.
MOST = {"preserve_identities(jax.jit)": 3.0, "flatten, declared": 2.0, "unflatten, declared": 2.0}

_SCHEMA = """
from codegen.schema import Dim, dynamic, f32, share

n = Dim()

class Table:
    rows: dynamic[f32[n]]
    scale: dynamic[f32]

class Block:
    table: dynamic[Table]
    weight: dynamic[f32[n]]
    bias: dynamic[f32]

class Plain:
    table: dynamic[Table]
    a: dynamic[Block]
    b: dynamic[Block]
    c: dynamic[Block]
    d: dynamic[Block]
    e: dynamic[Block]

class Declared:
    table: dynamic[Table]
    a: dynamic[Block]
    b: dynamic[Block]
    c: dynamic[Block]
    d: dynamic[Block]
    e: dynamic[Block]
    share(table, a.table, b.table)
"""

Call = Callable[[], Any]


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure what sharing costs.")
    parser.add_argument("--repeats", type=int, default=200)
    options = parser.parse_args()
    module = _generated()
    missed = False
    for title, calls in _rows(module).items():
        print(title)
        times = measure(calls, options.repeats)
        for name, taken in times.items():
            print(f"  {name:<36} {taken * 1e6:7.1f} us")
        base, plain = next(iter(times.items()))
        for name in times.keys() & MOST.keys():
            ratio = times[name] / plain
            missed |= ratio > MOST[name]
            print(f"  {name} / {base:<26} {ratio:5.2f}, at most {MOST[name]:.2f}")
    sys.exit(1 if missed else 0)


def measure(calls: dict[str, Call], repeats: int) -> dict[str, float]:
    """Return the minimum seconds of each call."""
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            started = perf_counter()
            for _ in range(CALLS):
                call()
            times[name].append(perf_counter() - started)
    return {name: min(each) / CALLS for name, each in times.items()}


def _rows(module: Any) -> dict[str, dict[str, Call]]:
    plain = _model(module.Plain, module, shared=False)
    aliased = _model(module.Plain, module, shared=True)
    declared = _model(module.Declared, module, shared=True)
    in_place = _model(sharing_rivals.Model, sharing_rivals, shared=True)
    compiled, kept = jax.jit(_step), preserve_identities(jax.jit)(_step)
    nnx_compiled = nnx.jit(sharing_rivals.step)
    leaves, treedef = jax.tree_util.tree_flatten(plain)
    shared_leaves, shared_treedef = jax.tree_util.tree_flatten(declared)
    graph, state = nnx.split(in_place)
    flatten, unflatten = jax.tree_util.tree_flatten, jax.tree_util.tree_unflatten
    return {
        "a call of a compiled function": {
            "jax.jit, nothing shared": lambda: compiled(plain),
            "jax.jit, declared": lambda: compiled(declared),
            "preserve_identities(jax.jit)": lambda: kept(aliased),
            "flax.nnx.jit": lambda: nnx_compiled(in_place),
        },
        "taking apart": {
            "flatten, nothing shared": lambda: flatten(plain),
            "flatten, declared": lambda: flatten(declared),
            "flax.nnx.split": lambda: nnx.split(in_place),
        },
        "putting together": {
            "unflatten, nothing shared": lambda: unflatten(treedef, leaves),
            "unflatten, declared": lambda: unflatten(shared_treedef, shared_leaves),
            "flax.nnx.merge": lambda: nnx.merge(graph, state),
        },
    }


def _model(kind: Any, module: Any, *, shared: bool) -> Any:
    def array() -> jax.Array:
        return jnp.ones(4)

    def table() -> Any:
        return module.Table(array(), jnp.ones(()))

    one = table()
    tables = [one, one, one] if shared else [table(), table(), table()]
    blocks = [module.Block(each, array(), jnp.ones(())) for each in (*tables[1:], *_many(table))]
    return kind(tables[0], *blocks)


def _many(table: Callable[[], Any]) -> list[Any]:
    return [table() for _ in range(3)]


def _step(model: Any) -> Any:
    """Change one array."""
    return model.replace(c=model.c.replace(bias=model.c.bias * 0.5))


def _generated() -> Any:
    """Build the schema and import the module."""
    folder = tempfile.mkdtemp(prefix="sharing-")
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "model.pyi").write_text(_SCHEMA, encoding="utf-8")
    settings = '[tool.codegen]\nout = "sharing_generated"\n'
    Path(folder, "pyproject.toml").write_text(settings)
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("sharing_generated.model")


if __name__ == "__main__":
    main()
