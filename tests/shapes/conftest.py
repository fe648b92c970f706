"""The schemas of these tests, built once a session as the package `shaped`."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.generated.package import forget, rendered, write

SCHEMAS = Path(__file__).parent / "schemas"


@pytest.fixture(scope="session")
def shaped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the package, which can be imported."""
    folder = tmp_path_factory.mktemp("shaped")
    write(rendered(SCHEMAS), folder, "shaped")
    sys.path.insert(0, str(folder))
    yield "shaped"
    sys.path.remove(str(folder))
    forget("shaped")


@pytest.fixture(scope="session")
def parts(shaped: str) -> Any:
    """The module of `schemas/parts.pyi`."""
    module: ModuleType = importlib.import_module(f"{shaped}.parts")
    return module


@pytest.fixture(scope="session")
def nested(shaped: str) -> Any:
    """The module of `schemas/nested.pyi`."""
    module: ModuleType = importlib.import_module(f"{shaped}.nested")
    return module
