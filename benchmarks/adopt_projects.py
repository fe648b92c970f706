"""Convert released packages to generated classes, with one command each.

    $ python -m benchmarks.adopt_projects navix
    | navix 4.0.0 | 74 | 51 | subclass 10, ... | `tests/test_grid.py` | 5 passed | 5 passed | 18 | +242 -1123 | 824 |

Each package is copied into a folder: its source distribution from PyPI, or the installed release if
that has the tests. `codegen adopt --rewrite --observe -- pytest` runs a part of its test suite before
and after, and compares the objects. Nothing is edited by hand. "left" counts the first reason for each
class that is left. "lines" counts the added and removed lines of the package's own modules.

This needs the requirements of the packages and pytest, and a network connection for source
distributions. A package without tests in its release is taken from a checkout in `--folder`, with the
name of the package. `--write` updates the rows of `docs/adopt.md`.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from benchmarks.adopt_report import DOCS, write_table


class Package(Struct, frozen=True):
    """A package, and the tests that run."""

    name: str
    source: str
    """The folder of its modules, relative to the copy."""
    suite: tuple[str, ...]
    """Paths of tests, relative to the copy."""
    folder: str = "."
    """The folder in which the tests run: they may open files relative to it."""
    is_installed: bool = False
    """Whether to copy the installed release, and not the source distribution."""


PACKAGES = (
    Package("mctx", "mctx", ("../mctx",), "run"),
    Package("gymnax", "gymnax", ("tests",)),
    Package(
        "brax",
        "brax",
        (
            "brax/base_test.py",
            "brax/contact_test.py::SphereTest::test_sphere_plane",
            "brax/io/json_test.py::JsonTest::test_dumps",
            "brax/mjx/pipeline_test.py::PipelineTest::test_pipeline_init_with_ctrl",
        ),
    ),
    Package(
        "mujoco-mjx",
        "mujoco/mjx",
        (
            *("mujoco/mjx/_src/io_test.py", "-k"),
            "put_model or put_data or make_data or make_matches_put",
        ),
        is_installed=True,
    ),
    Package("jax-md", "jax_md", ("tests/minimize_test.py", "-k", "c1_preconditioner")),
    Package(
        "kups",
        "src/kups",
        (
            *("test/core/test_lens.py", "test/core/test_capacity.py"),
            *("test/core/test_block_average.py", "test/mcmc/test_fugacity.py"),
            *("test/relaxation/optax", "test/potential/test_energy_potential.py"),
        ),
    ),
    Package(
        "flashbax",
        "flashbax",
        ("flashbax/buffers/flat_buffer_test.py", "flashbax/buffers/trajectory_queue_test.py"),
    ),
    Package("navix", "navix", ("tests/test_grid.py", "tests/test_spaces.py")),
    Package("jumanji", "jumanji", ("jumanji/environments/logic/game_2048",)),
    Package("evosax", "evosax", ("tests/test_core",)),
)
HEAD = (
    "| package | classes | adopted | left | tests | before | after | objects compared | lines | seconds |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n"
)


def main() -> None:
    """Adopt each selected package, and print a table row for it."""
    parser = argparse.ArgumentParser(description="Adopt released packages.")
    parser.add_argument("packages", nargs="*", help="those to take (default: all)")
    parser.add_argument("--folder", help="where to copy them (default: a temporary folder)")
    parser.add_argument("--write", action="store_true", help="write docs/adopt.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for package in PACKAGES:
            if not options.packages or package.name in options.packages:
                row = _row(package, Path(options.folder or temporary))
                print(row, end="", flush=True)
                if options.write:
                    _write_row(package.name, row)


def _write_row(name: str, row: str) -> None:
    """Replace the row of a package in the page, or add it."""
    table = DOCS.read_text(encoding="utf-8").split("<!-- projects -->\n")[1]
    lines = table.split("<!-- end of projects -->")[0].splitlines(keepends=True)[2:]
    others = [line for line in lines if not line.startswith(f"| {name} ")]
    order = [package.name for package in PACKAGES]
    rows = sorted([*others, row], key=lambda line: order.index(line.split()[1]))
    write_table("projects", HEAD + "".join(rows))


def _row(package: Package, folder: Path) -> str:
    start = time.monotonic()
    root, version = _copied(package, folder)
    source = root / package.source
    sources = _sources(source)
    (root / package.folder).mkdir(exist_ok=True)
    suite = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    command = ["sh", "-c", f'cd {package.folder} && exec "$@"', "sh"]
    command += [*suite, f"--rootdir={root}", *package.suite]
    words = [
        "adopt",
        package.source,
        "--schemas",
        "schemas",
        "--out",
        f"{package.source}/_generated",
    ]
    words += ["--rewrite", "--observe", "--report", "report.json", "--", *command]
    done = _run([sys.executable, "-m", "codegen", *words], root)
    if done.returncode:
        sys.exit(f"{root.name}: not adopted\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    outcomes = re.findall(
        r"^=*\s*(\d+ \w+.*?)(?:, \d+ warnings?)? in [\d.]+s", done.stderr, re.MULTILINE
    )
    added, removed = _changed(sources, _sources(source))
    compared = re.findall(r"^compared (\d+) objects", done.stdout, re.MULTILINE)
    classes = json.loads((root / "report.json").read_text(encoding="utf-8"))["classes"]
    left = Counter(one["refused"][0]["construct"] for one in classes if one["refused"])
    cells = [
        f"{package.name} {version}",
        len(classes),
        len(classes) - left.total(),
        ", ".join(f"{reason} {count}" for reason, count in left.most_common()),
        f"`{' '.join(package.suite)}`",
        outcomes[0],
        outcomes[-1],
        compared[0],
        f"+{added} -{removed}",
        round(time.monotonic() - start),
    ]
    return f"| {' | '.join(map(str, cells))} |\n"


def _copied(package: Package, folder: Path) -> tuple[Path, str]:
    """Return the folder of a copy of a package, and the version."""
    root = folder / package.name
    if root.is_dir():
        files = [root / "PKG-INFO", root / "pyproject.toml"]
        text = next(one for one in files if one.exists()).read_text(encoding="utf-8")
        version = re.search(r"^[Vv]ersion\W+([\w.]+)", text, re.MULTILINE)
        return root, version[1] if version else "checkout"
    if package.is_installed:
        top = package.source.partition("/")[0]
        place = metadata.distribution(package.name).locate_file(top)
        shutil.copytree(str(place), root / top)
        return root, metadata.version(package.name)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", package.name]
    subprocess.run([*pip, "-d", str(folder), package.name], check=True)
    (archive,) = folder.glob(f"{package.name.replace('-', '_')}-*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    unpacked.rename(root)
    return root, unpacked.name.rpartition("-")[2]


def _run(command: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    checkout = str(Path(__file__).parents[1])
    paths = os.pathsep.join([str(root), str(root / "src"), checkout])
    return subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def _sources(package: Path) -> dict[str, list[str]]:
    return {
        str(path.relative_to(package)): path.read_text(encoding="utf-8").splitlines()
        for path in sorted(package.rglob("*.py"))
        if "_generated" not in path.parts
    }


def _changed(before: dict[str, list[str]], after: dict[str, list[str]]) -> tuple[int, int]:
    added = removed = 0
    for name, lines in before.items():
        for line in difflib.unified_diff(lines, after[name], n=0):
            added += line.startswith("+") and not line.startswith("+++")
            removed += line.startswith("-") and not line.startswith("---")
    return added, removed


if __name__ == "__main__":
    main()
