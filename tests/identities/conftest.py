"""The generated modules of these tests, built once."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.files.schemas import schemas
from codegen.limits import FEATURES
from codegen.options import Options
from codegen.pipeline import compile as compile_schemas

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module of `schemas/graph.pyi`."""
    folder = tmp_path_factory.mktemp("identities")
    compiled = compile_schemas(
        schemas(str(HERE / "schemas")), Options("schemas", "identical", features=FEATURES)
    )
    assert not compiled.report
    for file in compiled.rendered:
        path = folder / "identical" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("identical.graph")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def preserve(graph: ModuleType) -> Any:
    """The support package's `preserve_identities`, as users of the output have it."""
    return importlib.import_module(f"{graph.__package__}._runtime.identities").preserve_identities
