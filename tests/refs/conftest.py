"""A fixture: the generated module of this folder, built once."""

from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build


@pytest.fixture(scope="session")
def cache(built: Build) -> Any:
    """The module of `schemas/cache.pyi`."""
    return built(Path(__file__).parent / "schemas", "cached").cache
