"""A fixture: the generated module of this folder, built once."""

from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build


@pytest.fixture(scope="session")
def graph(built: Build) -> Any:
    """The module of `schemas/graph.pyi`."""
    return built(Path(__file__).parent / "schemas", "identical").graph
