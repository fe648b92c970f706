"""Messages shorten long names and values of the input."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.conftest import Capture, Run

LONG = "n" * 200_000
HEAD = "from codegen.schema import dynamic, f32, field, impl, static\n\n"
SCHEMAS = {
    "a field": f"{HEAD}class A:\n    {LONG}: static[int]\n    {LONG}: static[int]\n",
    "a class": f"{HEAD}class {LONG}({LONG}):\n    x: static[int]\n",
    "a type": f"{HEAD}class A:\n    x: static[{LONG}]\n",
    "an option": f"{HEAD}class A:\n    x: static[int] = field({LONG}=1)\n",
    "a default": f'{HEAD}class A:\n    x: static[int] = "{LONG}"\n',
    "many words": f"{HEAD}class A:\n    x: static[{'a | ' * 5_000}b]\n",
    "a path": f'{HEAD}@impl("{LONG}")\ndef f(x: dynamic[f32]) -> f32: ...\n',
    "an import": f"from .{LONG} import A\n",
    "a word": f"from codegen.schema import {LONG}\n",
}
ARGUMENTS = [
    ("lint", "--select", LONG),
    ("breaking", "--against", LONG),
    ("explain", LONG),
    ("build", LONG),
    ("build", "--out", LONG),
    ("show", "--stage", "view", LONG),
    ("build", f"--{LONG}"),
]
MAX = 8_000


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the real stages."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/a.pyi").write_text(f"{HEAD}class A:\n    x: static[int]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["full", "concise", "json", "github"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_long_names_in_schemas_are_shortened(
    run: Run, capsys: Capture, real: Path, name: str, form: str
) -> None:
    (real / "schemas/a.pyi").write_text(SCHEMAS[name])
    assert run("build", "--output-format", form) == 1
    told = "".join(capsys.readouterr())
    count = told.count("error[") or 1
    assert 0 < len(told) < MAX * count


@pytest.mark.parametrize("words", ARGUMENTS, ids=lambda words: f"{words[0]} {words[1][:8]}")
def test_long_arguments_are_shortened(
    run: Run, capsys: Capture, real: Path, words: tuple[str, ...]
) -> None:
    with suppress(SystemExit):  # Invalid arguments exit the process.
        assert run(*words) == 2
    told = "".join(capsys.readouterr())
    assert "n" * 20 in told
    assert len(told) < MAX


@pytest.mark.parametrize(
    "setting", [f"{LONG} = 1", f'out = "{LONG}"', f'select = ["{LONG}"]', f'runtime = "{LONG}"']
)
def test_long_settings_are_shortened(run: Run, capsys: Capture, real: Path, setting: str) -> None:
    (real / "pyproject.toml").write_text(f"[tool.codegen]\n{setting}\n")
    assert run("lint") == 2
    told = "".join(capsys.readouterr())
    assert "n" * 20 in told
    assert len(told) < MAX
