"""Fixtures: the schemas of this folder, built as the package `called`, and its implementations."""

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build, Package

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def called(built: Build) -> Package:
    """The generated package."""
    package = built(HERE / "schemas", "called")
    shutil.copy(HERE / "impl.py", package.folder.parent / "called_impl.py")
    return package


@pytest.fixture(scope="session")
def site(called: Package) -> Path:
    """A folder on `sys.path` with the implementations."""
    return called.folder.parent


@pytest.fixture(scope="session")
def model(called: Package) -> Any:
    """The generated module."""
    return called.load("model")


@pytest.fixture
def impl(site: Path) -> Iterator[Any]:
    """The module with the implementations; edits of a test are reverted."""
    module = importlib.import_module("called_impl")
    text = (site / "called_impl.py").read_text(encoding="utf-8")
    module.traces.clear()
    yield module
    if (site / "called_impl.py").read_text(encoding="utf-8") != text:
        edit(module, text)


def edit(module: Any, text: str) -> None:
    """Overwrite the file of a module and reload the module."""
    Path(module.__file__).write_text(text, encoding="utf-8")
    # Python would reuse the bytecode if the old and new file have equal size and times within a second.
    shutil.rmtree(Path(module.__file__).parent / "__pycache__", ignore_errors=True)
    importlib.reload(module)
