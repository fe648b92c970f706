"""The generated modules of these tests, built once."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.generated.package import Package, rendered, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def identical(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    """The package of `schemas/`."""
    folder = tmp_path_factory.mktemp("identities")
    sys.path.insert(0, str(folder))
    yield write(rendered(HERE / "schemas"), folder, "identical")
    sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def graph(identical: Package) -> ModuleType:
    """The module of `schemas/graph.pyi`."""
    return identical.load("graph")


@pytest.fixture(scope="session")
def preserve(identical: Package) -> Any:
    """The support package's `preserve_identities`, as users of the output have it."""
    return identical.load("_runtime.identities").preserve_identities
