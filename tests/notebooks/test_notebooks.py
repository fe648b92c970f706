"""The notebooks of the documentation show what they show when they are run: `--update` runs them anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


def _shown(notebook: Any) -> list[Any]:
    """What each cell shows, and its number: what a machine or a version adds is left out."""
    return [
        (cell.execution_count, cell.outputs) for cell in notebook.cells if cell.cell_type == "code"
    ]


def _join(outputs: list[Any]) -> None:
    """Put together what is printed: a kernel sends it in one piece or in several."""
    for at in range(len(outputs) - 1, 0, -1):
        one, other = outputs[at - 1 : at + 1]
        if one.output_type == other.output_type == "stream" and one.name == other.name:
            one.text += outputs.pop(at).text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    # Of this checkout the reader has `codegen`, and not what is generated in it.
    installed = tmp_path / "installed"
    installed.mkdir()
    for name in ("codegen", "templates"):
        (installed / name).symlink_to(ROOT / name)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    committed = nbformat.read(path, as_version=4)
    run = nbformat.from_dict(committed)
    folder = tmp_path / "reader"
    folder.mkdir()
    NotebookClient(
        run, timeout=300, resources={"metadata": {"path": os.fspath(folder)}}, record_timing=False
    ).execute()
    run.metadata = committed.metadata
    for cell in run.cells:
        _join(cell.get("outputs", []))
    if request.config.getoption("--update"):
        nbformat.write(run, path)
    else:
        assert _shown(run) == _shown(committed)
