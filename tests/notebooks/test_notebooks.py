"""The notebooks of the documentation have current outputs. `--update` runs them again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


def _outputs(notebook: Any) -> list[Any]:
    """Return the output and number of each cell, without parts that depend on machine or version."""
    return [
        (cell.execution_count, cell.outputs) for cell in notebook.cells if cell.cell_type == "code"
    ]


def _join(outputs: list[Any]) -> None:
    """Join the printed text, which a kernel may send in several pieces."""
    for at in range(len(outputs) - 1, 0, -1):
        one, other = outputs[at - 1 : at + 1]
        if one.output_type == other.output_type == "stream" and one.name == other.name:
            one.text += outputs.pop(at).text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_has_current_outputs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    # The reader has `codegen` of this checkout, but not its generated code.
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
        assert _outputs(run) == _outputs(committed)
