"""Measure trace keys: static configurations are hashed, compared, built and passed as arguments.

    $ python -m benchmarks.keys
    a configuration of 50 values, nested: us
                           hash       ==    build     call
      dataclass            1.12     0.77     6.01     5.20
      torax                8.95    16.43   223.17    28.81
      generated            0.06     0.05     9.45     3.46
      nothing                                        3.24
      ...
    build, generated / dataclass   1.573, at most 2.00
    ...

Every copy that is hashed, compared or passed is built separately, and a new one is used each time. Times are minima
over many alternating runs, because disturbances only make a run slower. This needs the packages of the extra
`benchmarks`.
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

from benchmarks import keys_rivals

CHECKOUT = Path(__file__).parents[1]
COPIES, VARIANTS = 200, 1000

_SCHEMA = """
from enum import Enum

from codegen.schema import static

class Scheme(Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"

class Part:
    nx: static[int]
    ny: static[int]
    order: static[int]
    dx: static[float]
    dy: static[float]
    tolerance: static[float]
    name: static[str]
    periodic: static[bool]
    scheme: static[Scheme]

class Configuration:
    a: static[Part]
    b: static[Part]
    c: static[Part]
    d: static[Part]
    e: static[Part]
    steps: static[int]
    seed: static[int]
    dt: static[float]
    title: static[str]
    verbose: static[bool]
"""

# A function from the number of a variant to a configuration.
Make = Callable[[int], Any]


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description="Measure static configurations as keys.")
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--variants", type=int, default=VARIANTS)
    given = parser.parse_args()
    makes = _contestants(_generated())
    works = {
        (name, work): measured
        for name, make in makes.items()
        for work, measured in _works(make).items()
    }
    times = measure(works | {("nothing", "call"): _bare_calls()}, given.repeats)
    print("a configuration of 50 values, nested: us")
    print(_table(times))
    variants = _variants(makes["generated"], given.variants)
    first, last = measure(variants, given.repeats).values()
    print(f"one of {given.variants} variants as a static argument: us")
    print(f"  first {first * 1e6:.2f}, last {last * 1e6:.2f}")
    for line in _ratios(times, last / first):
        print(line)


def measure(works: dict[Any, Callable[[], int]], repeats: int) -> dict[Any, float]:
    """Return the minimum seconds of each piece of work, per step."""
    times: dict[Any, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            started = perf_counter()
            steps = work()
            times[name].append((perf_counter() - started) / steps)
    return {name: min(each) for name, each in times.items()}


def _works(make: Make) -> dict[str, Callable[[], int]]:
    one = make(0)
    copies = [make(0) for _ in range(COPIES)]

    def hash_all() -> int:
        for each in copies:
            hash(each)
        return COPIES

    def compare_all() -> int:
        for each in copies:
            assert one == each
        return COPIES

    def build() -> int:
        for _ in range(COPIES):
            make(0)
        return COPIES

    call = _calls(jax.jit(_add, static_argnums=0), copies)
    return {"hash": hash_all, "==": compare_all, "build": build, "call": call}


def _add(_: Any, x: jax.Array) -> jax.Array:
    return x + 1


def _calls(function: Callable[..., Any], configurations: list[Any]) -> Callable[[], int]:
    """Call a function with each configuration."""
    x = jnp.zeros(4)

    def call() -> int:
        for each in configurations:
            function(each, x)
        return COPIES

    call()
    return call


def _bare_calls() -> Callable[[], int]:
    """Call a function without a configuration."""
    x = jnp.zeros(4)
    function = jax.jit(lambda x: x + 1)

    def call() -> int:
        for _ in range(COPIES):
            function(x)
        return COPIES

    call()
    return call


def _variants(make: Make, count: int) -> dict[str, Callable[[], int]]:
    """Compile many variants, then call with copies of the first and of the last one."""
    function = jax.jit(_add, static_argnums=0)
    for number in range(count):
        function(make(number), jnp.zeros(4))
    return {
        name: _calls(function, [make(number) for _ in range(COPIES)])
        for name, number in {"first": 0, "last": count - 1}.items()
    }


def _contestants(generated: Any) -> dict[str, Make]:
    return {
        "nested tuple": keys_rivals.make_tuple,
        "dataclass": _maker(keys_rivals.Part, keys_rivals.Configuration),
        "equinox": _maker(keys_rivals.ModulePart, keys_rivals.ModuleConfiguration),
        "torax": _maker(keys_rivals.ToraxPart, keys_rivals.ToraxConfiguration),
        "generated": _maker(generated.Part, generated.Configuration, generated.Scheme),
    }


def _maker(part: Any, configuration: Any, scheme: Any = keys_rivals.Scheme) -> Make:
    implicit = scheme.IMPLICIT

    def make_part(number: int) -> Any:
        return part(
            nx=number,
            ny=2,
            order=3,
            dx=0.1,
            dy=0.2,
            tolerance=1e-6,
            name="part",
            periodic=True,
            scheme=implicit,
        )

    def make(number: int) -> Any:
        return configuration(
            a=make_part(number),
            b=make_part(1),
            c=make_part(2),
            d=make_part(3),
            e=make_part(4),
            steps=100,
            seed=7,
            dt=0.5,
            title="title",
            verbose=False,
        )

    return make


def _table(times: dict[Any, float]) -> str:
    works = ["hash", "==", "build", "call"]
    lines = ["  " + " " * 14 + "".join(f"{work:>9}" for work in works)]
    for name in dict.fromkeys(name for name, _ in times):
        cells = [times.get((name, work)) for work in works]
        texts = [f"{'':9}" if cell is None else f"{cell * 1e6:9.3f}" for cell in cells]
        lines.append(f"  {name:<14}{''.join(texts)}")
    return "\n".join(lines)


def _ratios(times: dict[Any, float], last: float) -> list[str]:
    compared = [("hash", "dataclass", 0.1), ("==", "dataclass", 0.1), ("build", "dataclass", 2.0)]
    compared.append(("call", "nothing", 1.1))
    ratios = [
        (f"{work}, generated / {rival}", times["generated", work] / times[rival, work], most)
        for work, rival, most in compared
    ]
    return [
        f"{title:<30} {ratio:5.3f}, at most {most:.2f}"
        for title, ratio, most in [*ratios, ("last variant / first", last, 1.1)]
    ]


def _generated() -> Any:
    """Build the schema and import the module."""
    folder = tempfile.mkdtemp(prefix="keys-")
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "settings.pyi").write_text(_SCHEMA, encoding="utf-8")
    Path(folder, "pyproject.toml").write_text('[tool.codegen]\nout = "keys_generated"\n')
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("keys_generated.settings")


if __name__ == "__main__":
    main()
