"""Measure donation by field, calls, and caches of Refs on a GPU.

    $ python -m benchmarks.gpu            # prints the tables; also runs on a CPU
    $ python -m benchmarks.gpu --write    # and writes docs/benchmarks/gpu.md

A step of a large plate shows the memory that donation saves. Small states show what a call costs on
the host. A decoder shows the cost of a cache of Refs. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator

# Each process allocates memory on demand, so that several can run.
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax

from benchmarks import calls, donated_memory, refs
from benchmarks.peers import report

MIB = 2**20
CALLS = "all change"


def main() -> None:
    """Measure, and print or write the tables."""
    parser = argparse.ArgumentParser(description="Measure on a GPU.")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--tokens", type=int, default=refs.LENGTH)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/gpu.md")
    options = parser.parse_args()
    kind = jax.devices()[0].device_kind
    sections = [
        f"# On one device: {kind}\n\nMade by `python -m benchmarks.gpu --write` on a device of the kind "
        f"{kind}, with jax {jax.__version__}, CPython {platform.python_version()}.",
        *_memory(),
        *_calls(options.repeats),
        *_refs(options.tokens, max(3, options.repeats // 5)),
    ]
    text = "\n\n".join(sections) + "\n"
    print(text)
    if options.write:
        (report.FOLDER / "gpu.md").write_text(text, encoding="utf-8")


def _memory() -> Iterator[str]:
    """Yield the section about the peak memory of a step."""
    side, found = donated_memory.peaks()
    yield "## Donation by field"
    yield (
        f"A plate of 2 arrays of {4 * side**2 / MIB:.0f} MiB, and one step of heat conduction. "
        '"Planned" is the memory that XLA allocates for a call. "Measured" is the peak of the '
        "allocator, with one process for each row."
    )
    columns: dict[str, dict[str, str]] = {"planned": {}, "measured": {}, "afterwards": {}}
    for mode, (planned, peak) in found.items():
        columns["planned"][mode] = f"{planned / MIB:.0f} MiB"
        columns["measured"][mode] = "-" if peak is None else f"{peak / MIB:.0f} MiB"
        columns["afterwards"][mode] = donated_memory.MODES[mode]
    yield report.markdown_table(columns)


def _calls(repeats: int) -> Iterator[str]:
    """Yield the section about the time of small calls."""
    yield "## Calls"
    yield (
        "Microseconds of a call that donates everything that changes, minima over runs that "
        "alternate. The arrays are small, so this is the time of the host and of the launch."
    )
    columns: dict[str, dict[str, str]] = {}
    for row, donates, seconds in calls.measured(CALLS, repeats):
        if donates:
            for name, each in seconds.items():
                columns.setdefault(name, {})[row.title] = f"{1e6 * min(each):.1f}"
    yield report.markdown_table(columns)


def _refs(tokens: int, repeats: int) -> Iterator[str]:
    """Yield the section about the cache of a decoder."""
    yield "## Cache of a decoder"
    size = 4 * refs.LENGTH * refs.HEADS * refs.HEAD / MIB
    yield f"Attention of one token over a cache of 2 arrays of {size:.1f} MiB, {tokens} tokens."
    found = refs.variants()
    columns: dict[str, dict[str, str]] = {"us a token": {}, "planned": {}}
    for name, seconds in refs.measure(found, tokens, repeats).items():
        columns["us a token"][name] = f"{1e6 * seconds:.1f}"
        columns["planned"][name] = f"{found[name].planned():.1f} MiB"
    yield report.markdown_table(columns)


if __name__ == "__main__":
    main()
