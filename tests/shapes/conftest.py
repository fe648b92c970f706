"""Fixtures: the schemas of this folder, built once per session as the packages `shaped` and `unbound`."""

from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build, Package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def package(built: Build) -> Package:
    """The package of `schemas/`."""
    return built(HERE / "schemas", "shaped")


@pytest.fixture(scope="session")
def shaped(package: Package) -> str:
    """The import name of that package."""
    return package.name


@pytest.fixture(scope="session")
def unbound(built: Build) -> Any:
    """The module of `unbound/unbound.pyi`."""
    return built(HERE / "unbound", "unbound").unbound


@pytest.fixture(scope="session")
def defaults(built: Build) -> Any:
    """The module of `defaults/defaults.pyi`."""
    return built(HERE / "defaults", "defaults").defaults


@pytest.fixture(scope="session")
def parts(package: Package) -> Any:
    """The module of `schemas/parts.pyi`."""
    return package.parts


@pytest.fixture(scope="session")
def nested(package: Package) -> Any:
    """The module of `schemas/nested.pyi`."""
    return package.nested
