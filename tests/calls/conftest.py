"""The schemas of these tests, built as the package `called`, and what its functions run."""

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
    """The folder on the path, with what the functions run."""
    return called.folder.parent


@pytest.fixture(scope="session")
def model(called: Package) -> Any:
    """Its module."""
    return called.load("model")


@pytest.fixture
def impl(site: Path) -> Iterator[Any]:
    """The module that its functions run; what a test has edited is put back."""
    module = importlib.import_module("called_impl")
    text = (site / "called_impl.py").read_text(encoding="utf-8")
    module.traces.clear()
    yield module
    if (site / "called_impl.py").read_text(encoding="utf-8") != text:
        edit(module, text)


def edit(module: Any, text: str) -> None:
    """Write a module's file anew, and have it run again."""
    Path(module.__file__).write_text(text, encoding="utf-8")
    # Two versions within a second, of one size, have the same bytecode for Python.
    shutil.rmtree(Path(module.__file__).parent / "__pycache__", ignore_errors=True)
    importlib.reload(module)
