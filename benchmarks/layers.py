"""Measure the compile time of the example transformer, with its layers in a stack and in a tuple.

    $ python -m benchmarks.layers
    stacked, scanned, 2 layers: 1.2 s
    ...

One training step is traced, lowered and compiled, with its gradient and AdamW. Times are CPU seconds of all threads,
which other programs disturb least, and the minimum of several runs. Each run starts with cleared caches. `--write`
writes the table and the chart to `docs/benchmarks`, under a name for the minor version of JAX. This needs the packages
of the extras `benchmarks` and `examples`.
"""

from __future__ import annotations

import argparse
import platform
from time import process_time
from typing import Any

import jax
import numpy as np

from benchmarks import pages
from benchmarks.peers import report
from examples.transformer import BATCH, CONFIG, LENGTH, make_training
from generated.transformer import Scanned, Transformer, Unrolled, train_step

LAYERS = (2, 4, 8, 16, 24, 48)
TITLE = "Compile times by the number of layers"
FORMS: dict[str, type[Scanned | Unrolled]] = {"stacked, scanned": Scanned, "in a tuple": Unrolled}


def seconds(kind: type[Scanned | Unrolled], layers: int) -> tuple[float, float]:
    """Return the CPU time to trace, lower and compile a step of a model with this many layers."""
    training = make_training(create_model(kind, layers), CONFIG.replace(layers=layers))
    clear_caches: Any = jax.clear_caches
    clear_caches()
    train_step.clear_cache()
    started = process_time()
    lowered = train_step.lower(training, np.zeros((BATCH, LENGTH + 1), np.int32))
    between = process_time()
    lowered.compile()
    return between - started, process_time() - between


def create_model(kind: type[Scanned | Unrolled], layers: int) -> Transformer:
    """Create a model with this many layers."""
    sizes = {"vocabulary": 64, "length": LENGTH, "width": 64, "heads": 4, "head": 16}
    return kind.abstract(layers=layers, **sizes).zeros()


def measured(runs: int) -> dict[str, dict[int, tuple[float, float]]]:
    """Return the minimum times by form and number of layers."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    seconds(Scanned, 1)  # The first compilation in a process takes longer.
    for name, kind in FORMS.items():
        for layers in LAYERS:
            times = [seconds(kind, layers) for _ in range(runs)]
            found.setdefault(name, {})[layers] = min(times, key=sum)
            print(f"{name}, {layers} layers: {sum(found[name][layers]):.1f} s", flush=True)
    return found


def write(found: dict[str, dict[int, tuple[float, float]]]) -> None:
    """Write the table and the chart."""
    name = pages.page_of_this_jax("layers")
    columns = {
        f"{form}, {what} [s]": {str(n): f"{times[i]:.2f}" for n, times in each.items()}
        for i, what in enumerate(("tracing", "compiling"))
        for form, each in found.items()
    }
    title = f"{TITLE}: jax {jax.__version__}"
    text = (
        f"# {title}\n\n"
        f"Made by `python -m benchmarks.layers --write` with jax {jax.__version__}, CPython "
        f"{platform.python_version()}, CPU seconds: one step of training the transformer of "
        "`examples/transformer.py`, with its layers in a stack under `jax.lax.scan`, and in a tuple.\n\n"
        f"{report.markdown_table(columns)}\n"
    )
    report.FOLDER.joinpath(f"{name}.md").write_text(text, encoding="utf-8")
    figure, axes = report.pyplot().subplots(figsize=(6.0, 3.6))
    for (form, each), marker in zip(found.items(), "Do", strict=True):
        axes.plot(list(each), [sum(times) for times in each.values()], marker=marker, label=form)
    axes.set_xlabel("layers")
    axes.set_ylabel("tracing and compiling a step [CPU s]")
    axes.set_ylim(bottom=0)
    axes.set_xticks(LAYERS)
    axes.grid(alpha=0.25)
    axes.legend()
    axes.set_title(title)
    report.save(figure, f"{name}.svg")


def main() -> None:
    """Measure, and write the results if requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how often each is compiled")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks")
    arguments = parser.parse_args()
    found = measured(arguments.runs)
    if arguments.write:
        write(found)


if __name__ == "__main__":
    main()
