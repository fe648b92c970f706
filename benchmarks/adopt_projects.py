"""Convert released packages to generated classes, with one command each.

    $ python -m benchmarks.adopt_projects navix
    | navix 4.0.0 | 74 | 51 | subclass 10, ... | `tests/test_grid.py` | 5 passed | 5 passed | 18 | +242 -1123 | 824 |

Each package gets a virtual environment in `--environments`, with its release and requirements, if it
has none there. Then it is copied into a folder: its source distribution from PyPI, or the installed
release if that has the tests. `benchmarks/adopted` has tests for the packages whose releases have none.
A folder in `--folder` with the name of the package is used as it is.

`codegen adopt --rewrite --observe -- pytest` runs a part of its test suite before and after, and
compares the objects. Nothing is edited by hand. "left" counts the first reason for each class that is
left. "lines" counts the added and removed lines of the package's own modules. Then the command runs
again, which must change nothing, and ruff must report nothing new with the settings of the package.

This needs uv and a network connection. `--write` updates the rows of `docs/adopt.md`.
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
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from benchmarks import pages

CHECKOUT = Path(__file__).parents[1]
_Warnings: TypeAlias = Counter[tuple[str, str, str]]
"""Counts by file, rule and text."""


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
    release: str = ""
    """The version on PyPI; empty for the newest."""
    requirements: tuple[str, ...] = ()
    """What the tests need from PyPI, besides pytest and the requirements of the release."""
    accepts_unseen: bool = False
    """Whether lines are accepted whose object can have any class, and that the tests do not run."""
    is_installable: bool = True
    """Whether the release accepts this Python. If not, `requirements` has all that it needs."""

    @property
    def requirement(self) -> str:
        """The release, as pip takes it."""
        return f"{self.name}=={self.release}" if self.release else self.name


PACKAGES = (
    Package("mctx", "mctx", ("../mctx",), "run", requirements=("absl-py",)),
    Package(
        "gymnax",
        "gymnax",
        ("tests/test_terminal_states.py", "tests/test_registration.py", "tests/test_spaces.py"),
        release="1.0.1",
        requirements=("six", "chex"),
    ),
    Package(
        "brax",
        "brax",
        (
            "brax/base_test.py",
            "brax/contact_test.py::SphereTest::test_sphere_plane",
            "brax/io/json_test.py::JsonTest::test_dumps",
            "brax/mjx/pipeline_test.py::PipelineTest::test_pipeline_init_with_ctrl",
            "brax/spring/joints_test.py::JointTest::test_pendulum_period1",
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
    Package(
        "jax-md",
        "jax_md",
        (
            *("tests/minimize_test.py", "tests/custom_partition_test.py"),
            *("-k", "armijo or exp_preconditioner or replace"),
        ),
        requirements=(
            *("absl-py", "ase", "e3nn-jax", "einops", "equinox", "flax", "frozendict", "jraph"),
            *("ml_collections", "netCDF4", "optax", "pymatgen", "typing-extensions"),
        ),
        is_installable=False,  # it excludes jax 0.10.2
    ),
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
    Package(
        "navix",
        "navix",
        ("tests/test_grid.py", "tests/test_spaces.py"),
        release="4.0.0",
        requirements=(
            "pillow",
            "flax",
            "rlax",
            "chex",
            "distrax",
            "tyro",
            "pyyaml",
            "matplotlib",
            "wandb",
        ),
        is_installable=False,
    ),
    Package(
        "jumanji",
        "jumanji",
        (
            *("jumanji/testing/fakes_test.py", "jumanji/environments/swarms/common"),
            "jumanji/environments/routing/multi_cvrp/generator_test.py",
        ),
        release="1.1.2",
    ),
    Package(
        "evosax", "evosax", (f"{CHECKOUT}/benchmarks/adopted/evosax_test.py",), release="0.3.2"
    ),
    Package(
        "torax",
        "torax",
        (f"{CHECKOUT}/benchmarks/adopted/torax_test.py",),
        is_installed=True,
        release="1.4.3",
        accepts_unseen=True,  # lines for pydantic, EQDSK files and TGLF, which never have a pytree
    ),
    Package(
        "rlax",
        "rlax",
        (
            *("rlax/_src/moving_averages_test.py", "rlax/_src/policy_targets_test.py"),
            *("rlax/_src/episodic_memory_test.py", "rlax/_src/exploration_test.py"),
        ),
        release="0.1.9",
    ),
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
    parser.add_argument("--environments", help="where their environments are (default: --folder)")
    parser.add_argument("--write", action="store_true", help="write docs/adopt.md")
    options = parser.parse_args()
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary).absolute()
        environments = Path(options.environments or folder / "environments").absolute()
        for package in PACKAGES:
            if not options.packages or package.name in options.packages:
                python = _python(package, environments)
                root, version = _copied(package, python, folder)
                warnings = _warnings(package, root, python)
                row = _row(package, root, version, python)
                print(row, end="", flush=True)
                problems += _check(package, root, python, warnings)
                if options.write:
                    _write_row(package.name, row)
    if problems:
        sys.exit("\n".join(problems))


def _write_row(name: str, row: str) -> None:
    """Replace the row of a package in the page, or add it."""
    lines = pages.read("docs/adopt.md", "projects").splitlines(keepends=True)[2:]
    others = [line for line in lines if not line.startswith(f"| {name} ")]
    order = [package.name for package in PACKAGES]
    rows = sorted([*others, row], key=lambda line: order.index(line.split()[1]))
    pages.write("docs/adopt.md", "projects", HEAD + "".join(rows))


def _python(package: Package, folder: Path) -> str:
    """Return the Python of a package's environment, and create it first if it is missing."""
    environment = folder / package.name
    python, complete = str(environment / "bin" / "python"), environment / "complete"
    if not complete.exists():
        uv = shutil.which("uv") or sys.exit("install uv, which creates the environments")
        new = ["venv", "-q", "--seed", "--clear", "-p", sys.executable, str(environment)]
        subprocess.run([uv, *new], check=True)
        tools = [f"{CHECKOUT}[adopt]", f"jax=={metadata.version('jax')}", "pytest", "ruff"]
        release = [package.requirement] if package.is_installable else []
        wanted = [*tools, *release, *package.requirements]
        subprocess.run([uv, "pip", "install", "-q", "-p", python, *wanted], check=True)
        complete.touch()
    return python


def _copied(package: Package, python: str, folder: Path) -> tuple[Path, str]:
    """Return the folder of a copy of a package, and the version."""
    root = folder / package.name
    if root.is_dir():
        files = [root / "PKG-INFO", root / "pyproject.toml"]
        text = next(one for one in files if one.exists()).read_text(encoding="utf-8")
        version = re.search(r"^[Vv]ersion\W+([\w.]+)", text, re.MULTILINE)
        return root, version[1] if version else "checkout"
    if package.is_installed:
        return root, _copy_installed(package, python, root)
    downloads = folder / "downloads" / package.name
    pip = [python, "-m", "pip", "download", "-qq", "--no-deps", "--ignore-requires-python"]
    words = [*pip, "--no-binary", package.name, "-d", str(downloads), package.requirement]
    subprocess.run(words, check=True)
    (archive,) = downloads.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(downloads, filter="data")
    unpacked = downloads / archive.name.removesuffix(".tar.gz")
    unpacked.rename(root)
    return root, unpacked.name.rpartition("-")[2]


def _copy_installed(package: Package, python: str, root: Path) -> str:
    """Copy the modules from the package's environment, and return the version."""
    (modules,) = Path(python).parents[1].glob("lib/python*/site-packages")
    top = package.source.partition("/")[0]
    shutil.copytree(modules / top, root / top, ignore=shutil.ignore_patterns("__pycache__"))
    (found,) = metadata.distributions(name=package.name, path=[str(modules)])
    return found.version


def _row(package: Package, root: Path, version: str, python: str) -> str:
    source = root / package.source
    sources = _sources(source)
    start = time.monotonic()
    done = _adopt(package, root, python, "report.json")
    seconds = round(time.monotonic() - start)
    outcomes = re.findall(
        r"^=*\s*(\d+ \w+.*?)(?:, \d+ warnings?)? in [\d.]+s", done.stderr, re.MULTILINE
    )
    added, removed = _changed(sources, _sources(source))
    compared = re.findall(r"^compared (\d+) objects", done.stdout, re.MULTILINE)
    if not compared:
        sys.exit(f"{root.name}: nothing was compared\n{done.stdout[-4000:]}")
    classes = json.loads((root / "report.json").read_text(encoding="utf-8"))["classes"]
    left = Counter(one["refused"][0]["construct"] for one in classes if one["refused"])
    cells = [
        f"{package.name} {version}",
        len(classes),
        len(classes) - left.total(),
        ", ".join(f"{reason} {count}" for reason, count in left.most_common()),
        f"`{' '.join(package.suite).replace(f'{CHECKOUT}/', '')}`",
        outcomes[0],
        outcomes[-1],
        compared[0],
        f"+{added} -{removed}",
        seconds,
    ]
    return f"| {' | '.join(map(str, cells))} |\n"


def _adopt(
    package: Package, root: Path, python: str, report: str
) -> subprocess.CompletedProcess[str]:
    suite = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    (root / package.folder).mkdir(exist_ok=True)
    command = ["sh", "-c", f'cd {package.folder} && exec "$@"', "sh"]
    command += [*suite, f"--rootdir={root}", *package.suite]
    out = f"{package.source}/_generated"
    words = ["adopt", package.source, "--schemas", "schemas", "--out", out, "--rewrite"]
    words += ["--accept-unseen"] if package.accepts_unseen else []
    words += ["--observe", "--report", report, "--", *command]
    done = _run([python, "-m", "codegen", *words], root)
    if done.returncode:
        sys.exit(f"{root.name}: not adopted\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done


def _check(package: Package, root: Path, python: str, warnings: _Warnings) -> Iterator[str]:
    """Yield what ruff newly reports, and whether a second run changes files."""
    for path, code, text in _warnings(package, root, python) - warnings:
        yield f"{path}: new in ruff: {code} {text}"
    folders = [root / "schemas", root / package.source]
    before = [_files(one) for one in folders]
    _adopt(package, root, python, "second_report.json")
    if [_files(one) for one in folders] != before:
        yield f"{root.name}: the second run changed files"


def _warnings(package: Package, root: Path, python: str) -> _Warnings:
    """Return what ruff reports with the settings of the package, except in generated files."""
    words = ["check", "--no-cache", "--output-format", "json", "--extend-exclude", "_generated"]
    done = _run([python, "-m", "ruff", *words, package.source], root)
    if done.returncode not in (0, 1):
        sys.exit(f"{root.name}: ruff failed\n{done.stderr}")
    problems = json.loads(done.stdout)
    return Counter((one["filename"], one["code"], one["message"]) for one in problems)


def _run(command: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(root), str(root / "src"), str(CHECKOUT)])
    return subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": paths, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )


def _files(folder: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


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
