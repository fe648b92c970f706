"""mctx and gymnax onto generated classes, by one command each, from what PyPI has.

    $ python -m benchmarks.adopt_projects
    mctx 0.0.71     24 passed in 61.10s     24 passed in 60.82s     0.02 s     0.17 s     +41 -163
    ...

Each is unpacked into a folder of its own and adopted with `--rewrite --observe -- pytest`, so that its suite runs
before and after, with every object compared. Not a line is edited by hand. The columns: the suite before and after
(both recorded, which takes some time), the import before and after, and the lines of the sources that were added and
removed. It needs network, the packages' own requirements, and pytest; `--folder` keeps what it made.
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
import time
from pathlib import Path

from msgspec import Struct


class Package(Struct, frozen=True):
    """A project, and how its suite is run."""

    name: str
    suite: tuple[str, ...]  # below the folder `run` of the unpacked project


PACKAGES = (
    Package("mctx", ("../mctx",)),
    Package("gymnax", ("../tests",)),
)


def main() -> None:
    """Take over each package that is asked for, and print a line for it."""
    parser = argparse.ArgumentParser(description="Adopt mctx and gymnax, as PyPI has them.")
    parser.add_argument("packages", nargs="*", help="those to take (default: all)")
    parser.add_argument("--folder", help="where to unpack them (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for package in PACKAGES:
            if not options.packages or package.name in options.packages:
                print(_row(package, Path(options.folder or temporary)), flush=True)


def _row(package: Package, folder: Path) -> str:
    root = _unpacked(package.name, folder)
    (root / "run").mkdir(exist_ok=True)
    before = _sources(root / package.name)
    import_before_s = _import_s(package.name, root)
    suite = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *package.suite]
    # A suite may open files by paths from a folder beside the package.
    command = ["sh", "-c", 'cd run && exec "$@"', "sh", *suite]
    words = ["adopt", package.name, "--schemas", "schemas", "--out", f"{package.name}/_generated"]
    words += ["--rewrite", "--observe", "--report", "report.json", "--", *command]
    done = subprocess.run(
        [sys.executable, "-m", "codegen", *words],
        cwd=root,
        env=_environment(root),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return f"{root.name}: not adopted\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    suites = re.findall(r"^=*\s*(\d+ \w+.* in [\d.]+s)", done.stderr, re.MULTILINE)
    import_after_s = _import_s(package.name, root)
    added, removed = _changed(before, _sources(root / package.name))
    times = f"{import_before_s:.2f} s     {import_after_s:.2f} s"
    last = done.stdout.splitlines()[-1]
    return "     ".join([root.name, *suites, times, f"+{added} -{removed}", last])


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
    """The fastest of three imports, beyond that of jax."""
    program = f"import time, jax, jax.numpy\nstart = time.perf_counter()\nimport {name}\n"
    program += "print(time.perf_counter() - start)"
    command = [sys.executable, "-c", program]
    times = []
    for _ in range(3):
        done = subprocess.run(
            command, env=_environment(root), capture_output=True, text=True, check=True
        )
        times.append(float(done.stdout.split()[-1]))
        time.sleep(0.1)
    return min(times)


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
