"""Fixtures: the schema of this folder, built as the package `cached`, in one session."""

from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build, Package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def cached(built: Build) -> Package:
    """The generated package."""
    return built(HERE / "schemas", "cached")


@pytest.fixture(scope="session")
def cache(cached: Package) -> Any:
    """The generated module."""
    return cached.load("cache")
