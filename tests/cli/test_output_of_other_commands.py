"""A folder that one command wrote is not overwritten by another command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SCHEMA = "from codegen.schema import dynamic, f32\n\nclass Bar:\n    u: dynamic[f32]\n"
# For each command that writes to the folder `g`: its arguments, the content that it reports, and the advice.
COMMANDS = {
    "package": (("build", "--out", "g"), "a package that `codegen build` wrote", "--out"),
    "site": (("docs", "--out", "g"), "a site that `codegen docs` wrote", "--out"),
}

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def real(empty: Path) -> Path:
    """The current folder, with one schema and the real stages."""
    (empty / "schemas").mkdir()
    (empty / "schemas/bar.pyi").write_text(SCHEMA)
    return empty


def _bytes(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("second", COMMANDS)
@pytest.mark.parametrize("first", COMMANDS)
def test_command_does_not_overwrite_output_of_another_command(
    run: Run, capsys: Capture, real: Path, first: str, second: str, force: tuple[str, ...]
) -> None:
    words, holds, _ = COMMANDS[first]
    assert run(*words) == 0
    before = _bytes(real)
    capsys.readouterr()
    words, _, option = COMMANDS[second]
    if first == second:
        assert run(*words, *force) == 0
        assert "up to date" in capsys.readouterr().err
    else:
        assert run(*words, *force) == 1
        told = capsys.readouterr().err
        assert f"error[FOREIGN_OUTPUT]: `g` contains {holds}; writing" in told
        assert f"choose another folder with `{option}`, or delete `g`" in told
        assert told.count("error") == 1
    assert _bytes(real) == before


@pytest.mark.parametrize("first", ["site"])
def test_build_without_schemas_keeps_output_of_another_command(
    run: Run, capsys: Capture, real: Path, first: str
) -> None:
    words, holds, _ = COMMANDS[first]
    assert run(*words) == 0
    (real / "schemas/bar.pyi").unlink()
    before = _bytes(real / "g")
    assert run("build", "--out", "g", "--force") == 1
    assert f"`g` contains {holds}" in capsys.readouterr().err
    assert _bytes(real / "g") == before


def test_check_reports_folder_of_another_command(run: Run, capsys: Capture, real: Path) -> None:
    assert run("docs", "--out", "g") == 0
    capsys.readouterr()
    assert run("check", "--out", "g") == 1
    told = capsys.readouterr().err
    assert told.startswith("`g` contains a site that `codegen docs` wrote; writing a package there")
    assert "missing" not in told
    assert "orphaned" not in told


def test_folder_without_manifest_is_written(run: Run, real: Path) -> None:
    assert run("build", "--out", "g") == 0
    (real / "g/.codegen-manifest").unlink()
    assert run("docs", "--out", "g") == 0
    assert (real / "g/bar.py").is_file()
    assert (real / "g/index.html").is_file()
