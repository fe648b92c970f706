# mypy: disable-error-code="no-untyped-def"
"""The generated module of these tests; what its function runs stands beside it."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import pytest

from codegen.files.schemas import schemas
from codegen.options import Options
from codegen.pipeline import compile as compile_schemas

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sharing")
    compiled = compile_schemas(schemas(str(HERE / "schemas")), Options("schemas", "shared"))
    assert not compiled.report
    for file in compiled.rendered:
        path = folder / "shared" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    runs = ModuleType("sharing_model")
    vars(runs)["grow"] = lambda *values: jax.tree.map(lambda leaf: leaf + 1, values)
    sys.modules["sharing_model"] = runs
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("shared.model")
    finally:
        sys.path.remove(str(folder))
        del sys.modules["sharing_model"]


@pytest.fixture
def made(model):
    """A model whose coders borrow its table."""
    table = model.Table(rows=jnp.arange(3.0))
    return model.Model(table, model.Coder(table), model.Coder(table))
