# mypy: disable-error-code="no-untyped-def"
"""Fixtures: the generated modules of this folder. The implementation is in this folder too."""

import sys
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def shared(built):
    """The package of `schemas/`."""
    runs = ModuleType("sharing_model")
    vars(runs)["grow"] = lambda outer, pair: jax.tree.map(lambda leaf: leaf + 1, (outer, pair))
    sys.modules["sharing_model"] = runs
    yield built(HERE / "schemas", "shared")
    del sys.modules["sharing_model"]


@pytest.fixture(scope="session")
def model(shared):
    return shared.load("model")


@pytest.fixture
def made(model):
    """A model whose coders share its table."""
    table = model.Table(rows=jnp.arange(3.0))
    return model.Model(table, model.Coder(table), model.Coder(table))
