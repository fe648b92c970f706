"""Fixtures for commands that `codegen adopt` observes."""

from __future__ import annotations

import pytest

from tests import forked


@pytest.fixture(scope="session")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program that runs like Python, and has imported JAX."""
    return forked.python(tmp_path_factory.mktemp("python"))
