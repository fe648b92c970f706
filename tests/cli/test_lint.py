"""Test `codegen lint`: its input, output and writes. `tests/test_lints.py` tests the lints."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from codegen.diagnostics import Edit
from codegen.diagnostics.codes import REMOVED
from codegen.lint import fix as fixing
from tests.cli.conftest import Capture, Run

SCHEMA = """\
from codegen.schema import Dim, dynamic, f32

n = Dim()
m = Dim()  # codegen: ignore[UNUSED_DIMENSION]

class Bar:
    u: dynamic[f32]
"""
MENDED = SCHEMA.replace("n = Dim()\n", "", 1)


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one schema and the real stages."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/bar.pyi").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_warning_exits_with_1(run: Run, capsys: Capture, real: Path) -> None:
    assert run("lint") == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith("warning[UNUSED_DIMENSION]: the dimension `n` is declared")
    assert told.splitlines()[-1].startswith("checked 1 module: 1 warning in ")
    assert (real / "schemas/bar.pyi").read_text() == SCHEMA


def test_implementations_are_parsed_but_not_imported(run: Run, capsys: Capture, real: Path) -> None:
    (real / "schemas/bar.pyi").write_text(
        "from codegen.schema import dynamic, f32, impl\n"
        '@impl("model:stpe")\ndef step(x: dynamic[f32]) -> f32: ...\n'
    )
    (real / "model.py").write_text("def step(x): ...\nraise SystemExit\n")
    assert run("lint") == 1
    assert "the schema calls `model:stpe`, but `model` has no `stpe`" in capsys.readouterr().err
    (real / "model.py").unlink()
    assert run("lint") == 0


def test_fix_edits_the_schema(run: Run, capsys: Capture, real: Path) -> None:
    path = real / "schemas/bar.pyi"
    path.chmod(0o640)
    assert run("lint", "--fix") == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "schemas/bar.pyi: remove the dimension `n`"
    assert told[1].startswith("checked 1 module: no warnings, 1 fixed in ")
    assert path.read_text() == MENDED
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = path.stat().st_ino, path.stat().st_mtime_ns
    assert run("lint", "--fix") == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == before
    assert os.listdir(real / "schemas") == ["bar.pyi"]


def test_fix_that_cannot_be_applied_is_reported(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = fixing.rewritten

    def wrong(data: bytes, edits: Iterable[Edit]) -> bytes:
        return made(data, edits).replace(b"\n\nm", b"\n?")

    monkeypatch.setattr(fixing, "rewritten", wrong)
    (real / "schemas/rod.pyi").write_text("from codegen.schema import Dim\nk = Dim()\n")
    assert run("lint", "--fix") == 1
    told = capsys.readouterr().err
    assert "schemas/rod.pyi: remove the dimension `k`\n" in told
    left = "schemas/bar.pyi: not fixed, because the fix would cause an error: remove the dimension `n`\n"
    assert left in told
    assert "warning[UNUSED_DIMENSION]: the dimension `n`" in told
    assert "checked 2 modules: 1 warning, 1 fixed in " in told
    assert (real / "schemas/bar.pyi").read_text() == SCHEMA
    assert (real / "schemas/rod.pyi").read_text() == "from codegen.schema import Dim\n"


def test_comment_after_an_ignore_is_kept(run: Run, capsys: Capture, real: Path) -> None:
    path = real / "schemas/bar.pyi"
    schema = "from codegen.schema import dynamic, f32, static\n\nclass Bar:\n"
    field = "    n: static[int]  # codegen: ignore[SWEPT_STATIC] it takes few values\n"
    rest = "    u: dynamic[f32]\n"
    path.write_text(schema + field + rest)
    assert run("lint", "--output-format", "json") == 1
    *_, found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["fix"]["edits"] == [
        {
            "line": 4,
            "column": 21,
            "end_line": 4,
            "end_column": 72,
            "text": "# it takes few values",
        }
    ]
    assert run("lint", "--fix") == 0
    fixed = field.replace("codegen: ignore[SWEPT_STATIC] ", "")
    assert path.read_text() == schema + fixed + rest


def test_removed_lint_names_are_accepted(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REMOVED, "LINT_OF_BEFORE", "it found nothing")
    (real / "pyproject.toml").write_text('[tool.codegen]\nignore = ["LINT_OF_BEFORE"]\n')
    text = "from codegen.schema import static\n\nclass Bar:\n    n: static[int]"
    (real / "schemas/bar.pyi").write_text(f"{text}  # codegen: ignore[LINT_OF_BEFORE]\n")
    assert run("lint", "--select", "LINT_OF_BEFORE") == 0
    notices = [line for line in capsys.readouterr().err.splitlines() if "was removed" in line]
    assert notices == [
        f"{place} names `LINT_OF_BEFORE`, which was removed: delete the name"
        for place in ("`select`", "`ignore`", "schemas/bar.pyi")
    ]


def test_fix_follows_a_link_to_another_schema(run: Run, real: Path) -> None:
    (real / "schemas/bar.pyi").rename(real / "schemas/rod.pyi")
    (real / "schemas/bar.pyi").symlink_to("rod.pyi")
    assert run("lint", "--fix") == 0
    assert (real / "schemas/bar.pyi").is_symlink()
    assert (real / "schemas/rod.pyi").read_text() == MENDED


def test_file_changed_during_lint_is_not_fixed(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix = fixing.fix

    def slow(*words: object) -> object:
        (real / "schemas/bar.pyi").write_text("# saved by somebody\n")
        return fix(*words)  # type: ignore[arg-type]

    monkeypatch.setattr("codegen.cli.lint.fix", slow)
    assert run("lint", "--fix") == 2
    assert "schemas/bar.pyi: was changed by another program" in capsys.readouterr().err
    assert (real / "schemas/bar.pyi").read_text() == "# saved by somebody\n"


def test_json_contains_the_fix(run: Run, capsys: Capture, real: Path) -> None:
    assert run("lint", "--output-format", "json") == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["fix"] == {
        "message": "remove the dimension `n`",
        "edits": [{"line": 3, "column": 1, "end_line": 4, "end_column": 1, "text": ""}],
    }
    assert run("lint", "--fix", "--output-format", "json") == 0
    assert json.loads(capsys.readouterr().out) == {"diagnostics": []}


@pytest.mark.parametrize(
    ("words", "settings", "found"),
    [
        ((), "", {"UNUSED_DIMENSION"}),
        (("--select", "ALL"), "", {"UNUSED_DIMENSION"}),
        (("--select", "DEFAULT"), "", {"UNUSED_DIMENSION"}),
        (("--select", "NEVER_DONATED"), "", set()),
        (("--ignore", "UNUSED_DIMENSION, NEVER_DONATED"), "", set()),
        ((), 'ignore = ["UNUSED_DIMENSION"]', set()),
        ((), 'select = ["SWEPT_STATIC"]', set()),
        (("--select", "UNUSED_DIMENSION"), 'select = ["NEVER_DONATED"]', {"UNUSED_DIMENSION"}),
        (("--ignore", ""), 'ignore = ["UNUSED_DIMENSION"]', {"UNUSED_DIMENSION"}),
        (("--select", "ALL"), 'ignore = ["SWEPT_STATIC"]', {"UNUSED_DIMENSION"}),
    ],
)
def test_lints_are_selected_by_options_and_settings(
    run: Run, capsys: Capture, real: Path, words: tuple[str, ...], settings: str, found: set[str]
) -> None:
    if settings:
        (real / "pyproject.toml").write_text(f"[tool.codegen]\n{settings}\n")
    assert run("lint", "--output-format", "json", *words) == bool(found)
    report = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {one["code"] for one in report} == found


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("UNUSED_DIMENSIONS", "did you mean `UNUSED_DIMENSION`?"),
        ("ALIAS_CYCLE", "`ALIAS_CYCLE` is an error, and is always reported"),
        ("7", "`codegen explain` lists all codes"),
    ],
)
def test_unknown_code_is_an_error(
    run: Run, capsys: Capture, real: Path, word: str, message: str
) -> None:
    assert run("lint", "--select", word) == 2
    assert f"`{word}` in `--select` is not a lint; {message}" in capsys.readouterr().err
    (real / "pyproject.toml").write_text(
        f'[tool.codegen]\nselect = ["ALL"]\nignore = [\n    "{word}",\n]\n'
    )
    assert run("lint") == 2
    said = capsys.readouterr().err
    assert f"error[BAD_SETTING]: `{word}` in `ignore` is not a lint\n" in said
    assert "--> pyproject.toml:4:6" in said
    assert f"help: {message}" in said
    assert run("build") == 0


@pytest.mark.parametrize("words", [("lint",), ("lint", "--fix")])
def test_errors_are_reported_instead_of_lints(
    run: Run, capsys: Capture, real: Path, words: tuple[str, ...]
) -> None:
    (real / "schemas/bar.pyi").write_text("from codegen.schema import Dim\nn: int\n")
    assert run(*words) == 1
    told = capsys.readouterr().err
    assert "error[MISPLACED_FIELD]" in told
    assert "UNUSED_IMPORT" not in told
    (real / "schemas/class.pyi").write_text("")
    assert run(*words) == 1
    assert "BAD_FILE_NAME" in capsys.readouterr().err
