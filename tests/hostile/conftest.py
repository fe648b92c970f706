"""Fixtures: a folder from which generated packages are imported."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on `sys.path`."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path
