"""Generated code is formatted and has no lint, and the committed output is current."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated.package import PROJECT, rendered

COMMITTED = PROJECT / "generated"


def _ruff(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "ruff", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


VERSIONS = pytest.mark.parametrize("version", ["py311", "py313", "py314"])


@VERSIONS
def test_output_is_formatted(site_of_checks: Path, clean_names: list[str], version: str) -> None:
    options = ("--isolated", "--no-cache", "--check", "--diff", f"--target-version={version}")
    _ruff(site_of_checks, "format", *options, *clean_names)


@VERSIONS
def test_output_has_no_lint(site_of_checks: Path, clean_names: list[str], version: str) -> None:
    options = ("--isolated", "--no-cache", f"--target-version={version}")
    _ruff(site_of_checks, "check", *options, *clean_names)


def test_committed_output_is_current() -> None:
    built = {file.path: file.text for file in rendered(PROJECT / "schemas")}
    paths = [path for path in COMMITTED.rglob("*") if path.is_file()]
    found = {
        path.relative_to(COMMITTED).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if path.suffix == ".py" or path.name == "py.typed"
    }
    differing = [path for path in built.keys() | found.keys() if built.get(path) != found.get(path)]
    assert not differing, f"run `codegen build`: {sorted(differing)}"
