"""Run one test file for each topic with the installed support package."""

from __future__ import annotations

from pathlib import Path

from tests import forked

TESTS = Path(__file__).parents[1]
FILES = (
    "comfort/test_like.py",
    "drafts/test_lift.py",
    "mixins/test_mixins.py",
    "shapes/test_check.py",
    "sharing/test_sharing.py",
)


def test_installed_support_package_passes_the_same_tests() -> None:
    options = ("-q", "-n0", "--runtime=package")
    done = forked.run("-m", "pytest", *options, *FILES, cwd=TESTS, check=False)
    assert done.returncode == 0, done.stdout
