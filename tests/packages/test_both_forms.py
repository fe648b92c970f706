"""Run one test file for each topic with the installed support package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
FILES = (
    "comfort/test_like.py",
    "drafts/test_lift.py",
    "mixins/test_mixins.py",
    "shapes/test_check.py",
    "sharing/test_sharing.py",
)


def test_installed_support_package_passes_the_same_tests() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "--runtime=package", *FILES],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
