"""The schemas of these tests, built once a session as the packages `shaped` and `unbound`."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.generated.package import forget, rendered, write

HERE = Path(__file__).parent


def built(schemas: Path, folder: Path, name: str) -> Iterator[str]:
    write(rendered(schemas), folder, name)
    sys.path.insert(0, str(folder))
    yield name
    sys.path.remove(str(folder))
    forget(name)


@pytest.fixture(scope="session")
def shaped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the package, which can be imported."""
    yield from built(HERE / "schemas", tmp_path_factory.mktemp("shaped"), "shaped")


@pytest.fixture(scope="session")
def unbound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module of `unbound/unbound.pyi`."""
    for name in built(HERE / "unbound", tmp_path_factory.mktemp("unbound"), "unbound"):
        yield importlib.import_module(f"{name}.unbound")


@pytest.fixture(scope="session")
def defaults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module of `defaults/defaults.pyi`."""
    for name in built(HERE / "defaults", tmp_path_factory.mktemp("defaults"), "defaults"):
        yield importlib.import_module(f"{name}.defaults")


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
