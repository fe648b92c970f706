"""Fixtures: the schema of this folder, built as the package `traced`, and its implementations."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build, Package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def traced(built: Build) -> Package:
    """The generated package."""
    package = built(HERE / "schemas", "traced")
    shutil.copy(HERE / "impl.py", package.folder.parent / "traced_impl.py")
    return package


@pytest.fixture
def model(traced: Package) -> Any:
    """Its module, without any traces."""
    return traced.load("model")
