"""Compare with other pytree libraries: the same work, run alternately, as ratios.

    $ python -m benchmarks
                        codegen  register_dataclass  flax.struct  ...
    construct              0.98                1.00         1.04
    flatten                ...

Each number is a ratio to `jax.tree_util.register_dataclass` on a frozen dataclass, measured in the same process. With
`--write`, the table and a chart are written to `docs/benchmarks`, under a name for the minor version of JAX. The exit
status is 1 if a target is missed. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from benchmarks.peers import report
from benchmarks.peers.libraries import LIBRARIES, named_tuple
from benchmarks.peers.rows import ROWS
from benchmarks.peers.timing import minima
from tests.xla import compilation_cache

CHECKOUT = Path(__file__).parents[1]
EVERYONE = (*LIBRARIES, named_tuple)
# The maximum allowed ratio to `register_dataclass` for each row, with any supported Python.
MOST = {
    "class definition": 0.6,
    "construct": 1.5,
    "construct, 3 static values": 1.2,
    "flatten": 1.25,
    "unflatten": 0.4,
    "tree_map": 0.75,
}


def main() -> None:
    """Measure each row in its own process, and print or write the table."""
    parser = argparse.ArgumentParser(description="Compare this project with its peers.")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks")
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--row", choices=ROWS, help="measure one row, and print JSON")
    options = parser.parse_args()
    if options.row:
        _measure(options.row, options.repeats)
        return
    times = {row: _in_process(row, options.repeats) for row in ROWS}
    ratios = {row: _over_plain(each) for row, each in times.items()}
    if options.write:
        report.write_speed(ratios, report.versions(LIBRARIES))
    print(report.text_table(report.speed_columns(ratios)))
    missed = [row for row, most in MOST.items() if ratios[row]["codegen"] > most]
    for row in missed:
        print(f"{row}: {ratios[row]['codegen']:.2f}, at most {MOST[row]:.2f}", file=sys.stderr)
    raise SystemExit(1 if missed else 0)


def _measure(row: str, repeats: int) -> None:
    warnings.simplefilter("ignore")
    works = {library.name: ROWS[row](library) for library in EVERYONE}
    present = {name: work for name, work in works.items() if work is not None}
    print(json.dumps(minima(present, repeats)))


def _in_process(row: str, repeats: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks", "--row", row, "--repeats", str(repeats)]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "JAX_PLATFORMS": "cpu"}
    with tempfile.TemporaryDirectory() as cache:
        environment |= compilation_cache(Path(cache))
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
    times: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return times


def _over_plain(times: dict[str, float]) -> dict[str, float]:
    """Compute ratios to `register_dataclass`, or to a frozen dataclass if JAX is not involved."""
    plain = times["register_dataclass"]
    return {name: taken / plain for name, taken in times.items()}


if __name__ == "__main__":
    main()
