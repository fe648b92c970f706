"""Fixtures: the generated modules of this folder, built once."""

from pathlib import Path
from types import ModuleType

import pytest

from tests.generated.package import Build, Package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def identical(built: Build) -> Package:
    """The package of `schemas/`."""
    return built(HERE / "schemas", "identical")


@pytest.fixture(scope="session")
def graph(identical: Package) -> ModuleType:
    """The module of `schemas/graph.pyi`."""
    return identical.load("graph")
