"""Convert mctx and gymnax from PyPI to generated classes, with one command each.

    $ python -m benchmarks.adopt_projects
    | package | suite before | suite after | import before | after | sources | compared |
    | mctx 0.0.71 | 24 passed in 30.1 s | 24 passed in 29.8 s, the same tests | 0.09 s | 0.11 s | +16 -161 | 77 |

Each package is unpacked into its own folder. Its test suite runs first on the original sources. Then `codegen adopt
--rewrite --observe -- pytest` runs the suite twice with recording and compares the objects. Finally the suite runs on
the rewritten sources. Nothing is edited by hand. An import time is the fastest of five, minus that of jax. The column
"sources" counts the added and removed lines of the package's own modules. This needs a network connection, the
requirements of the packages, and pytest. `--folder` keeps the files, `--write` updates `docs/adopt.md`.
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
    """A package, and the command of its test suite."""

    name: str
    suite: tuple[str, ...]  # relative to the folder `run` of the unpacked package


PACKAGES = (
    Package("mctx", ("../mctx",)),
    Package("gymnax", ("../tests",)),
)


HEAD = (
    "| package | suite before | suite after | import before | after | sources | compared |\n"
    "|---|---|---|---|---|---|---|\n"
)


class Suite(Struct, frozen=True):
    """The output of pytest."""

    failed: frozenset[str]
    counts: str  # Example: "24 passed"
    time_s: str


def main() -> None:
    """Adopt each selected package, and print a table row for it."""
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
    # A test suite may open files relative to a folder beside the package.
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
    """Return the fastest of five imports, minus the import time of jax."""
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
