"""Compare the programs of `docs/side-by-side.md`: their length, and the time of a step.

    $ python -m benchmarks.programs --write

Our programs are built from the page itself, which also receives the tables. All three versions run alternately in one
process and must compute the same numbers. This needs the packages of the extras `benchmarks` and `examples`.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks import pages
from benchmarks.programs import gas_equinox, gas_flax, words_equinox, words_flax
from tests.docs.blocks import Block, blocks

HERE = Path(__file__).parent
PAGE = "docs/side-by-side.md"
LIBRARIES = ("codegen", "flax.struct", "equinox")
TITLES = {"gas": "particles", "words": "transformer"}
PARTICLES, NEIGHBOURS = 256, 64
# Number of steps between two waits for the result. Steps of the gas are short.
RUNS = {"gas": 20, "words": 1}
SIZES = {"vocabulary": 64, "width": 64, "inner": 256, "length": 32}

# A function that consumes a state; it returns the next state and a number that identifies the result.
Step = Callable[[Any], tuple[Any, Any]]


def our_modules() -> dict[str, Any]:
    """Build the modules from the code blocks of the page."""
    folder = Path(tempfile.mkdtemp())
    for block in _blocks():
        if block.file is not None:
            (folder / block.file).parent.mkdir(exist_ok=True)
            (folder / block.file).write_text(block.text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "codegen", "-q", "build"], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    names = ("generated.gas", "generated.words", "words_model")
    return {name: importlib.import_module(name) for name in names}


def gases(made: dict[str, Any]) -> Iterator[tuple[Any, Step]]:
    """Create a gas for each library, and its step."""
    dt = jnp.float32(1e-4)
    for library in (made["generated.gas"], gas_flax, gas_equinox):
        box, rng = library.Box(side=1.0, cutoff=0.1), jax.random.key(0)
        x = jax.random.uniform(rng, (PARTICLES, 2))
        near = library.neighbours(x, box, NEIGHBOURS)
        near = jax.tree.map(jnp.copy, near)
        gas = library.Gas(x=x, v=jnp.zeros_like(x), near=near, rng=jax.random.key(1), box=box)

        def step(gas: Any, library: Any = library) -> tuple[Any, Any]:
            gas = library.step(dt, gas) if library is gas_equinox else library.step(gas, dt)
            return gas, gas.v

        yield gas, step


def trainings(made: dict[str, Any]) -> Iterator[tuple[Any, Step]]:
    """Create a training for each library from the same numbers, and its step."""
    words = made["generated.words"]
    model = words.Model.abstract(**SIZES).init(jax.random.key(0))
    tokens = jax.random.randint(jax.random.key(1), (16, 32), 0, SIZES["vocabulary"])
    for library in (words, words_flax, words_equinox):
        start = made["words_model"].start if library is words else library.start
        copied: Any = jax.tree.map(jnp.copy, model)
        if library is not words:
            values = copied.embedding.table, copied.position, *jax.tree.leaves(copied.blocks)
            copied = jax.tree.unflatten(_structure(library), values)
        training = start(copied, library.Config(), jax.random.key(2))

        def step(training: Any, library: Any = library) -> tuple[Any, Any]:
            arguments = (training, tokens) if library is not words_equinox else (tokens, training)
            found: tuple[Any, Any] = library.train_step(*arguments)
            return found

        yield training, step


def _blocks() -> list[Block]:
    return blocks((pages.CHECKOUT / PAGE).read_text(encoding="utf-8"))


def _structure(library: Any) -> Any:
    """The treedef of another library's model: table, position, and the arrays of each block."""
    arguments = (jax.random.key(0), *SIZES.values())
    make = library.Model if library is words_equinox else library.initial
    return jax.tree.structure(jax.eval_shape(lambda: make(*arguments)))


def times(works: list[tuple[Any, Step]], run: int, repeats: int) -> list[float]:
    """Return the minimum microseconds of a step; all libraries must compute the same numbers."""
    states = [state for state, _ in works]
    least = [float("inf")] * len(works)
    for _ in range(repeats):
        found = []
        for at, (_, step) in enumerate(works):
            started = perf_counter()
            for _ in range(run):
                states[at], told = step(states[at])
            jax.block_until_ready(told)
            least[at] = min(least[at], (perf_counter() - started) / run)
            found.append(told)
        assert all(bool((one == found[0]).all()) for one in found), found
    return [1e6 * one for one in least]


def lines(name: str) -> list[str]:
    """Count the lines of each library's program; ours includes a schema."""
    page = {block.file: block.text for block in _blocks()}
    schema, model = (page[path] for path in (f"schemas/{name}.pyi", f"{name}_model.py"))
    # The first line is the name of the file.
    own = f"{schema.count(chr(10)) - 1} of schema, {model.count(chr(10)) - 1} of Python"
    rivals = [(HERE / f"{name}_{rival}.py").read_text() for rival in ("flax", "equinox")]
    return [own, *(str(text.count("\n")) for text in rivals)]


def lengths() -> str:
    """Format the table of the lengths."""
    rows = ["| | lines | files you write |", "|---|---|---|"]
    for name, title in TITLES.items():
        for library, count in zip(LIBRARIES, lines(name), strict=True):
            files = 2 if library == "codegen" else 1
            rows.append(f"| {title}, `{library}` | {count} | {files} |")
    return "\n".join(rows)


def durations(repeats: int) -> str:
    """Measure the steps, and format their table."""
    made = our_modules()
    columns = " | ".join(f"`{library}`" for library in LIBRARIES)
    rows = [f"| jax {jax.__version__}: a step [µs] | {columns} |", "|---|---|---|---|"]
    for name, works in (("gas", [*gases(made)]), ("words", [*trainings(made)])):
        taken = " | ".join(f"{time:.0f}" for time in times(works, RUNS[name], repeats))
        rows.append(f"| {TITLES[name]} | {taken} |")
    return "\n".join(rows)


def main() -> None:
    """Print the tables, or write them to their page."""
    parser = argparse.ArgumentParser(description="Measure the programs of docs/side-by-side.md.")
    parser.add_argument("--write", action="store_true", help="write the tables to the page")
    parser.add_argument("--repeats", type=int, default=400, help="how often each runs")
    arguments = parser.parse_args()
    module = "benchmarks.programs"
    parts = {
        f"python -m {module} --write": lengths(),
        pages.part_of_this_jax(module): durations(arguments.repeats),
    }
    for part, text in parts.items():
        print(text)
        if arguments.write:
            pages.write(PAGE, part, text)


if __name__ == "__main__":
    main()
