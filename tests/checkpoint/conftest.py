"""The schema of these tests, built once a session as the package `checkpointed`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Package, forget, rendered, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    """The generated package."""
    folder = tmp_path_factory.mktemp("checkpointed")
    sys.path.insert(0, str(folder))
    yield write(rendered(HERE / "schemas"), folder, "checkpointed")
    sys.path.remove(str(folder))
    forget("checkpointed")


@pytest.fixture(scope="session")
def values(package: Package) -> Any:
    """The module of `schemas/values.pyi`."""
    return package.load("values")


@pytest.fixture(scope="session")
def checkpoint(package: Package) -> Any:
    """The part of the support package that is tested."""
    return package.load("_runtime.checkpoint")
