"""Generated code is formatted and has no lint."""

import subprocess
import sys
from pathlib import Path

import pytest


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
