"""Compare the call time of a generated function with common alternatives.

    $ python -m benchmarks.calls
    five scalars, all change, donated
      jax.jit of arrays         6.6 us
      generated                 9.5 us
      ...
      generated / jax.jit of arrays       1.44
      generated / register_dataclass      1.20, at most 1.25

Each benchmark runs `state = step(state)`. The states have donated fields that change, fields that are returned
unchanged, and static values; they are one object, three objects, or objects nested two deep. `jax.jit of arrays` is
the same on flat arrays. `register_dataclass`, `flax.struct` and equinox are classes under `jax.jit` that donate the
whole object, because they cannot donate single fields. Times are minima over many alternating runs, because
disturbances only make a run slower. `--medians` prints medians too, `--write` writes the tables and the chart to
`docs/benchmarks`, under a name for the minor version of JAX. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import itertools
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import equinox
import jax
import jax.numpy as jnp

from benchmarks import calls_rivals, pages
from benchmarks.calls_model import advance, changed
from benchmarks.peers import report

CHECKOUT = Path(__file__).parents[1]
CALLS = 100
BARE, PLAIN, OURS = "jax.jit of arrays", "register_dataclass", "generated"
# Advance the states this many times.
Loop = Callable[[int], None]


@dataclasses.dataclass(frozen=True)
class Row:
    """The fields of a state, and the maximum ratio of a donating call to the dataclass."""

    title: str
    shape: tuple[int, ...]
    changed: int
    kept: int = 0
    statics: int = 0
    objects: int = 1
    keys: int = 0  # the last of those that change
    is_nested: bool = False
    most: float = 1.0

    @property
    def is_chart(self) -> bool:
        """Whether the row is one object of scalars that all change."""
        return not (self.shape or self.kept or self.keys or self.is_nested) and self.objects == 1

    @property
    def names(self) -> list[str]:
        """The names of the arrays of one object or part."""
        return [f"d{i}" for i in range(self.changed)] + [f"k{i}" for i in range(self.kept)]


ROWS = (
    Row("one scalar, changes", (), 1, most=1.6),
    Row("five scalars, all change", (), 5, most=1.3),
    Row("twenty scalars, all change", (), 20),
    Row("fifty scalars, all change", (), 50),
    Row("ten 2 by 2, all change", (2, 2), 10, most=1.2),
    Row("ten of 4, half change", (4,), 5, 5),
    Row("ten of 4, half change, 20 statics", (4,), 5, 5, 20),
    Row("ten 128 by 128, half change", (128, 128), 5, 5),
    Row("ten 128 by 128, all change", (128, 128), 10, most=1.1),
    Row("five scalars and a random key, all change", (), 6, keys=1, most=1.3),
    Row("three objects of five scalars, all change", (), 5, objects=3, most=1.2),
    Row("nested two deep, two parts of five scalars, all change", (), 5, is_nested=True, most=1.2),
)


def main() -> None:
    """Measure, and print or write the results."""
    parser = argparse.ArgumentParser(description="Measure a call of a generated function.")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--medians", action="store_true", help="print them beside the minima")
    parser.add_argument("--only", default="", help="rows whose title has this in it")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks")
    options = parser.parse_args()
    found: dict[tuple[Row, bool], dict[str, list[float]]] = {}
    for row, donates, seconds in measured(options.only, options.repeats):
        found[row, donates] = seconds
        print(f"{row.title}, {'donated' if donates else 'not donated'}")
        for line in _lines(seconds, row.most if donates else 1.05, medians=options.medians):
            print(f"  {line}")
    if options.write:
        _write(found)


def measured(only: str, repeats: int) -> Iterator[tuple[Row, bool, dict[str, list[float]]]]:
    """Yield the seconds of each row whose title contains a text, with and without donation."""
    generated = _generated()
    for (number, row), donates in itertools.product(enumerate(ROWS), (True, False)):
        if only in row.title:
            contestants = _contestants(generated, number, row, donates=donates)
            yield row, donates, measure(contestants, repeats)


def measure(loops: dict[str, Loop], repeats: int) -> dict[str, list[float]]:
    """Return the seconds per call of each contestant, for each run."""
    for loop in loops.values():
        loop(2)
    seconds: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(repeats):
        for name, loop in loops.items():
            started = perf_counter()
            loop(CALLS)
            seconds[name].append((perf_counter() - started) / CALLS)
    return seconds


def _lines(seconds: dict[str, list[float]], most: float, *, medians: bool) -> list[str]:
    least = {name: min(each) for name, each in seconds.items()}
    lines: list[str] = []
    for name, each in seconds.items():
        median = f", median {statistics.median(each) * 1e6:7.1f} us" if medians else ""
        lines.append(f"{name:<20} {least[name] * 1e6:7.1f} us{median}")
    for name, taken in least.items():
        if name != OURS:
            limit = f", at most {most:.2f}" if name == PLAIN else ""
            lines.append(f"generated / {name:<20} {least[OURS] / taken:6.2f}{limit}")
    return lines


def _write(found: dict[tuple[Row, bool], dict[str, list[float]]]) -> None:
    """Write all rows as tables, and the rows of one object of scalars as a chart."""
    name = pages.page_of_this_jax("calls")
    text = [
        f"# What a call costs: jax {jax.__version__}\n",
        f"Made by `python -m benchmarks.calls --write` with jax {jax.__version__}, CPython "
        f"{platform.python_version()}: microseconds, minima over runs that alternate. Each of "
        "the last two columns has two ratios, of minima and of medians: the time of the generated "
        "function divided by the time of the named column.\n",
        f"![By the number of fields]({name}.svg)\n",
    ]
    for donates, title in ((True, "Donating"), (False, "Without donation: `keep`")):
        columns: dict[str, dict[str, str]] = {}
        for (row, is_donating), seconds in found.items():
            if is_donating is donates:
                for column, cell in _cells(seconds):
                    columns.setdefault(column, {})[row.title] = cell
        order = sorted(columns, key=lambda column: column.startswith("/"))
        table = report.markdown_table({column: columns[column] for column in order})
        text += [f"## {title}\n", f"{table}\n"]
    report.FOLDER.joinpath(f"{name}.md").write_text("\n".join(text), encoding="utf-8")
    scalars = {
        row.changed: {of: min(each) * 1e6 for of, each in seconds.items()}
        for (row, donates), seconds in found.items()
        if donates and row.is_chart
    }
    _chart(f"{name}.svg", scalars)


def _cells(seconds: dict[str, list[float]]) -> Iterator[tuple[str, str]]:
    """Return the column titles of a row, and their contents."""
    for name, each in seconds.items():
        yield name, f"{min(each) * 1e6:.1f}"
    for name in (BARE, PLAIN):
        least, middle = (f(seconds[OURS]) / f(seconds[name]) for f in (min, statistics.median))
        yield f"/ {name}", f"{least:.2f}, {middle:.2f}"


def _chart(file: str, by_fields: dict[int, dict[str, float]]) -> None:
    pyplot = report.pyplot()
    figure, axes = pyplot.subplots(figsize=(7.0, 4.0))
    for name in next(iter(by_fields.values())):
        times = [each[name] for each in by_fields.values()]
        width = 2.5 if name == OURS else 1.2
        axes.plot([*by_fields], times, marker="o", linewidth=width, markersize=4, label=name)
    axes.set_yscale("log")
    axes.set_xlabel("f32 scalars in the object, all of which change and are donated")
    axes.set_ylabel("microseconds a call")
    axes.grid(alpha=0.25, which="both")
    axes.legend(fontsize=8)
    report.save(figure, file)


def _contestants(generated: Any, number: int, row: Row, *, donates: bool) -> dict[str, Loop]:
    statics = [f"s{i}" for i in range(row.statics)]
    classes = {
        PLAIN: calls_rivals.plain,
        "flax.struct": calls_rivals.flax_struct,
        "equinox.filter_jit": calls_rivals.module,
    }
    contestants: dict[str, Loop] = {BARE: _bare(row, donates=donates)}
    function = getattr(generated, f"f{number}")
    states = _states(row, getattr(generated, f"S{number}"), getattr(generated, f"P{number}", None))
    contestants[OURS] = _loop(function if donates else function.keep, states)
    for name, make in classes.items():
        parts = ["p0", "p1"] if row.is_nested else []
        outer = make("Outer", [*parts, *row.names], statics)
        inner = make("Inner", row.names, []) if row.is_nested else None
        if name.startswith("equinox"):
            jitted = equinox.filter_jit(advance, donate="all" if donates else "none")
        else:
            jitted = jax.jit(advance, donate_argnums=range(row.objects) if donates else ())
        contestants[name] = _loop(jitted, _states(row, outer, inner))
    if donates:
        mutable = _states(row, calls_rivals.Mutable, calls_rivals.Mutable)
        contestants["flax.nnx.jit"] = _in_place(mutable)
    return contestants


def _arrays(row: Row) -> dict[str, jax.Array]:
    keys = range(row.changed - row.keys, row.changed)
    return {
        name: jax.random.key(i) if i in keys else jnp.full(row.shape, float(i))
        for i, name in enumerate(row.names)
    }


def _states(row: Row, outer: Any, inner: Any) -> tuple[Any, ...]:
    def state() -> Any:
        parts = {name: inner(**_arrays(row)) for name in ("p0", "p1")} if row.is_nested else {}
        return outer(**parts, **_arrays(row), **{f"s{i}": i for i in range(row.statics)})

    return tuple(state() for _ in range(row.objects))


def _bare(row: Row, *, donates: bool) -> Loop:
    """Run the step on flat arrays; static values are the last arguments."""
    copies = row.objects * (3 if row.is_nested else 1)
    each = row.changed + row.kept
    count = copies * each
    changes = [i for i in range(count) if i % each < row.changed]
    statics = range(row.statics)

    def step(*values: Any) -> tuple[Any, ...]:
        return tuple(
            changed(v) if i % each < row.changed else v for i, v in enumerate(values[:count])
        )

    jitted = jax.jit(
        step,
        donate_argnums=changes if donates else (),
        static_argnums=tuple(count + i for i in statics),
    )
    box = [tuple(array for _ in range(copies) for array in _arrays(row).values())]

    def loop(calls: int) -> None:
        state = box[0]
        for _ in range(calls):
            state = jitted(*state, *statics)
        box[0] = jax.block_until_ready(state)  # type: ignore[no-untyped-call]

    return loop


def _loop(function: Callable[..., Any], states: tuple[Any, ...]) -> Loop:
    """Return a loop over as many arguments as there are states."""
    box = [states]

    def loop(calls: int) -> None:
        held = box[0]
        if len(held) == 1:
            (state,) = held
            for _ in range(calls):
                state = function(state)
            held = (state,)
        else:
            for _ in range(calls):
                held = function(*held)
        box[0] = jax.block_until_ready(held)  # type: ignore[no-untyped-call]

    return loop


def _in_place(states: tuple[Any, ...]) -> Loop:
    def loop(calls: int) -> None:
        for _ in range(calls):
            calls_rivals.in_place(states)

    return loop


def _schema() -> str:
    """Write the classes and functions of all rows."""
    lines = ["from codegen.schema import donated, dynamic, f32, impl, key, static", ""]
    for number, row in enumerate(ROWS):
        kind = f"f32[{', '.join(map(str, row.shape))}]" if row.shape else "f32"
        arrays = [f"    d{i}: donated[{kind}]" for i in range(row.changed - row.keys)]
        arrays += [f"    d{i}: donated[key]" for i in range(len(arrays), row.changed)]
        arrays += [f"    k{i}: dynamic[{kind}]" for i in range(row.kept)]
        parts = [f"    p{i}: donated[P{number}]" for i in range(2 * row.is_nested)]
        statics = [f"    s{i}: static[int]" for i in range(row.statics)]
        if row.is_nested:
            lines += [f"class P{number}:", *arrays]
        lines += [f"class S{number}:", *parts, *arrays, *statics]
        names = ", ".join(f"s{i}: donated[S{number}]" for i in range(row.objects))
        result = (
            f"S{number}"
            if row.objects == 1
            else f"tuple[{', '.join([f'S{number}'] * row.objects)}]"
        )
        lines += [
            '@impl("benchmarks.calls_model:advance")',
            f"def f{number}({names}) -> {result}: ...",
        ]
    return "\n".join([*lines, ""])


def _generated() -> Any:
    """Build the schema and import the module."""
    folder = tempfile.mkdtemp(prefix="calls-")
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "calls_state.pyi").write_text(_schema(), encoding="utf-8")
    Path(folder, "pyproject.toml").write_text('[tool.codegen]\nout = "calls_generated"\n')
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("calls_generated.calls_state")


if __name__ == "__main__":
    main()
