# mypy: disable-error-code="no-untyped-def"
"""The generated module of these tests; what its function runs stands beside it."""

import sys
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import pytest

from tests.generated.package import rendered, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """The package of `schemas/`."""
    folder = tmp_path_factory.mktemp("sharing")
    runs = ModuleType("sharing_model")
    vars(runs)["grow"] = lambda *values: jax.tree.map(lambda leaf: leaf + 1, values)
    sys.modules["sharing_model"] = runs
    sys.path.insert(0, str(folder))
    try:
        yield write(rendered(HERE / "schemas"), folder, "shared")
    finally:
        sys.path.remove(str(folder))
        del sys.modules["sharing_model"]


@pytest.fixture(scope="session")
def model(shared):
    return shared.load("model")


@pytest.fixture
def made(model):
    """A model whose coders borrow its table."""
    table = model.Table(rows=jnp.arange(3.0))
    return model.Model(table, model.Coder(table), model.Coder(table))
