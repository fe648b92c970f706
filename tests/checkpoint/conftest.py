"""Fixtures: the schemas of this folder, built once per session as the package `checkpointed`."""

from pathlib import Path
from typing import Any

import pytest

import codegen.runtime.checkpoint
from tests.generated.package import Build, Package


@pytest.fixture(scope="session")
def package(built: Build) -> Package:
    """The generated package."""
    return built(Path(__file__).parent / "schemas", "checkpointed", runtime="package")


@pytest.fixture(scope="session")
def values(package: Package) -> Any:
    """The module of `schemas/values.pyi`."""
    return package.load("values")


@pytest.fixture(scope="session")
def checkpoint() -> Any:
    """The module under test."""
    return codegen.runtime.checkpoint
