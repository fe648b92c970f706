"""The schemas of these tests, built as the package `called`, and what its functions run."""

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Package, forget, rendered, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on the path, with what the functions run."""
    folder = tmp_path_factory.mktemp("called")
    shutil.copy(HERE / "impl.py", folder / "called_impl.py")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def called(site: Path) -> Iterator[Package]:
    """The generated package."""
    yield write(rendered(HERE / "schemas"), site, "called")
    forget("called")


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
