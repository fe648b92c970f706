"""mctx and gymnax onto generated classes, by one command each, from what PyPI has.

    $ python -m benchmarks.adopt_projects
    | package | suite before | suite after | import before | after | sources | compared |
    | mctx 0.0.71 | 24 passed in 30.1 s | 24 passed in 29.8 s, the same tests | 0.09 s | 0.11 s | +16 -161 | 77 |

Each is unpacked into a folder of its own, its suite runs as it is, it is adopted with `--rewrite --observe --
pytest`, which runs the suite twice more, recorded, and compares the objects, and the suite runs once more on what came
of it. Not a line is edited by hand. The imports are the fastest of five, beyond that of jax; the sources are the
lines of the package's own modules that were added and removed. It needs network, the packages' own requirements, and
pytest; `--folder` keeps what it made, `--write` puts the table into `docs/adopt.md`.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from msgspec import Struct

from benchmarks.adopt_report import write_table


class Package(Struct, frozen=True):
    """A project, and how its suite is run."""

    name: str
    suite: tuple[str, ...]  # below the folder `run` of the unpacked project


PACKAGES = (
    Package("mctx", ("../mctx",)),
    Package("gymnax", ("../tests",)),
)


HEAD = (
    "| package | suite before | suite after | import before | after | sources | compared |\n"
    "|---|---|---|---|---|---|---|\n"
)


class Suite(Struct, frozen=True):
    """What pytest said."""

    failed: frozenset[str]
    counts: str  # Example: "24 passed"
    time_s: str


def main() -> None:
    """Take over each package that is asked for, and print a line for it."""
    parser = argparse.ArgumentParser(description="Adopt mctx and gymnax, as PyPI has them.")
    parser.add_argument("packages", nargs="*", help="those to take (default: all)")
    parser.add_argument("--folder", help="where to unpack them (default: a temporary folder)")
    parser.add_argument("--write", action="store_true", help="write docs/adopt.md")
    options = parser.parse_args()
    table = HEAD
    print(HEAD, end="")
    with tempfile.TemporaryDirectory() as temporary:
        for package in PACKAGES:
            if not options.packages or package.name in options.packages:
                row = _row(package, Path(options.folder or temporary))
                print(row, end="", flush=True)
                table += row
    if options.write:
        write_table("projects", table)


def _row(package: Package, folder: Path) -> str:
    root = _unpacked(package.name, folder)
    (root / "run").mkdir(exist_ok=True)
    sources = _sources(root / package.name)
    suite = [sys.executable, "-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", *package.suite]
    # A suite may open files by paths from a folder beside the package.
    command = ["sh", "-c", 'cd run && exec "$@"', "sh", *suite]
    before, import_before_s = _suite(command, root), _import_s(package.name, root)
    words = ["adopt", package.name, "--schemas", "schemas", "--out", f"{package.name}/_generated"]
    words += ["--rewrite", "--observe", "--report", "report.json", "--", *command]
    done = _run([sys.executable, "-m", "codegen", *words], root)
    if done.returncode:
        sys.exit(f"{root.name}: not adopted\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    after, import_after_s = _suite(command, root), _import_s(package.name, root)
    added, removed = _changed(sources, _sources(root / package.name))
    compared = re.findall(r"^compared (\d+) objects", done.stdout, re.MULTILINE)
    same = "the same tests" if before.failed == after.failed else "OTHER TESTS"
    cells = [
        root.name.replace("-", " "),
        f"{before.counts} in {before.time_s} s",
        f"{after.counts} in {after.time_s} s, {same}",
        f"{import_before_s:.2f} s",
        f"{import_after_s:.2f} s",
        f"+{added} -{removed}",
        f"{compared[0]} objects",
    ]
    return f"| {' | '.join(cells)} |\n"


def _suite(command: list[str], root: Path) -> Suite:
    said = _run(command, root).stdout
    (counts, time_s), *_ = re.findall(r"^=*\s*(\d+ \w+.*) in ([\d.]+)s", said, re.MULTILINE)
    return Suite(frozenset(re.findall(r"^FAILED (\S+)", said, re.MULTILINE)), counts, time_s)


def _run(command: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=root, env=_environment(root), capture_output=True, text=True, check=False
    )


def _unpacked(name: str, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*pip, "-d", str(folder), name], check=True)
    (archive,) = folder.glob(f"{name}-*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def _environment(root: Path) -> dict[str, str]:
    checkout = str(Path(__file__).parents[1])
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(root), checkout])}


def _import_s(name: str, root: Path) -> float:
    """The fastest of five imports, beyond that of jax."""
    program = f"import time, jax, jax.numpy\nstart = time.perf_counter()\nimport {name}\n"
    program += "print(time.perf_counter() - start)"
    command = [sys.executable, "-c", program]
    return min(float(_run(command, root).stdout.split()[-1]) for _ in range(5))


def _sources(package: Path) -> dict[str, list[str]]:
    return {
        str(path.relative_to(package)): path.read_text(encoding="utf-8").splitlines()
        for path in sorted(package.rglob("*.py"))
        if "_generated" not in path.parts
    }


def _changed(before: dict[str, list[str]], after: dict[str, list[str]]) -> tuple[int, int]:
    added = removed = 0
    for name, lines in before.items():
        for line in difflib.ndiff(lines, after[name]):
            added += line.startswith("+ ")
            removed += line.startswith("- ")
    return added, removed


if __name__ == "__main__":
    main()
