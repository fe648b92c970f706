"""Test `codegen docs`: where it writes, and which files it keeps. `tests/unit/test_site.py` tests the pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SCHEMA = "from codegen.schema import dynamic, f32\n\nclass Bar:\n    u: dynamic[f32]\n"

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one schema and the real stages."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/bar.pyi").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return values that change if a file is written, without the time of the last access."""
    found = ((path, path.stat()) for path in folder.rglob("*"))
    return {path: (about.st_ino, about.st_mtime_ns) for path, about in found}


def test_docs_writes_only_changed_files(run: Run, capsys: Capture, real: Path) -> None:
    assert run("docs") == 0
    assert capsys.readouterr().err.startswith("wrote 2 pages to site: 4 written, 0 removed, ")
    before = _stamps(real / "site")
    assert run("docs") == 0
    assert capsys.readouterr().err.startswith("up to date: 4 files in site in ")
    assert _stamps(real / "site") == before
    (real / "schemas/bar.pyi").rename(real / "schemas/rod.pyi")
    assert run("docs") == 0
    assert sorted(path.name for path in (real / "site/modules").iterdir()) == ["rod.html"]


def test_docs_keeps_foreign_files(run: Run, capsys: Capture, real: Path) -> None:
    (real / "public").mkdir()
    (real / "public/index.html").write_text("mine")
    (real / "public/other.html").write_text("mine")
    assert run("docs", "--out", "public", "--force") == 1
    told = capsys.readouterr().err
    assert "error[FOREIGN_OUTPUT]" in told
    assert "away, or choose another folder with `--out`. No option overwrites it" in told
    assert (real / "public/index.html").read_text() == "mine"
    assert not (real / "public/modules").exists()
    (real / "public/index.html").unlink()
    assert run("docs", "--out", "public") == 0
    (real / "public/style.css").write_text("edited")
    assert run("docs", "--out", "public") == 1
    told = capsys.readouterr().err
    assert "error[EDITED_OUTPUT]" in told
    assert "--diff" not in told  # `check` ignores the site
    assert run("docs", "--out", "public", "--force") == 0
    assert (real / "public/style.css").read_text() != "edited"
    assert (real / "public/other.html").read_text() == "mine"


@pytest.mark.parametrize("out", ["schemas", "schemas/site", "generated", "generated/site", "."])
def test_overlapping_folders_are_an_error(run: Run, capsys: Capture, real: Path, out: str) -> None:
    assert run("docs", "--out", out) == 2
    assert "overlap" in capsys.readouterr().err
    assert sorted(path.name for path in real.iterdir()) == ["schemas"]


def test_invalid_schemas_are_reported(run: Run, capsys: Capture, real: Path) -> None:
    (real / "schemas/bar.pyi").write_text("n: int\n")
    assert run("docs") == 1
    assert "error[MISPLACED_FIELD]" in capsys.readouterr().err
    (real / "schemas/class.pyi").write_text("")
    assert run("docs") == 1
    assert "error[BAD_FILE_NAME]" in capsys.readouterr().err
    assert not (real / "site").exists()
