"""Check which libraries give correct results with static values and donation.

    $ python -m benchmarks.soundness
                            codegen             register_dataclass   ...
    another class           0 of 480 wrong      9 of 480 wrong
    `1`, `1.0`, `True`      told apart          2 of 3 wrong
    ...

Each library runs in separate processes with four host devices, because some cases crash the process. `--write` writes
the table to `docs/benchmarks`. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import warnings
from importlib import metadata
from pathlib import Path

from benchmarks.peers import report
from benchmarks.peers.cases import CASES, MAY_END, judge
from benchmarks.peers.libraries import LIBRARIES, Library

CHECKOUT = Path(__file__).parents[1]
TITLE = "Which libraries give the right answer"


def main() -> None:
    """Run every case with every library, and print or write the table."""
    parser = argparse.ArgumentParser(description="Compare the results of libraries.")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks")
    parser.add_argument("--library", help="run one library alone, and print JSON")
    parser.add_argument("--case", action="append", help="run these cases of it")
    options = parser.parse_args()
    if options.library:
        _run(options.library, options.case)
        return
    verdicts = {library.name: _verdicts(library) for library in LIBRARIES}
    if options.write:
        title = f"{TITLE}: jax {metadata.version('jax')}"
        report.write_soundness(title, verdicts, report.versions(LIBRARIES))
    print(report.text_table({k: {c: v[1] for c, v in d.items()} for k, d in verdicts.items()}))


def _run(name: str, cases: list[str]) -> None:
    warnings.simplefilter("ignore")
    (library,) = (each for each in LIBRARIES if each.name == name)
    verdicts = {case: judge(library, case) for case in cases}
    print(json.dumps({case: [verdict.kind, verdict.text] for case, verdict in verdicts.items()}))


def _verdicts(library: Library) -> dict[str, tuple[str, str]]:
    """Return the verdicts of all cases; cases that may crash run in their own process."""
    together = [case for case in CASES if case not in MAY_END]
    found = _in_process(library, together)
    for case in MAY_END:
        found |= _in_process(library, [case])
    return {case: found[case] for case in CASES}


def _in_process(library: Library, cases: list[str]) -> dict[str, tuple[str, str]]:
    command = [sys.executable, "-m", "benchmarks.soundness", "--library", library.name]
    command += [part for case in cases for part in ("--case", case)]
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
    environment = os.environ | flags | {"PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode < 0 and len(cases) == 1:
        crashed = done.returncode == -signal.SIGSEGV
        return {cases[0]: ("wrong", "segmentation fault" if crashed else "the process ends")}
    if done.returncode:
        raise SystemExit(f"{library.name}: no verdict\n{done.stderr[-2000:]}")
    verdicts = json.loads(done.stdout.splitlines()[-1])
    return {case: (kind, text) for case, (kind, text) in verdicts.items()}


if __name__ == "__main__":
    main()
