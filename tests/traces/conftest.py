"""The schema of these tests, built as the package `traced`, and what its functions run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Package, forget, rendered, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    """The generated package."""
    folder = tmp_path_factory.mktemp("traced")
    shutil.copy(HERE / "impl.py", folder / "traced_impl.py")
    sys.path.insert(0, str(folder))
    yield write(rendered(HERE / "schemas"), folder, "traced")
    forget("traced")
    sys.path.remove(str(folder))


@pytest.fixture
def model(traced: Package) -> Any:
    """Its module, in which nothing has been traced."""
    return traced.load("model")
