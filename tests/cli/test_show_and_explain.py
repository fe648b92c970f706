"""Test `codegen show` and `codegen explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.diagnostics import Code
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.pages import RUN_TIME
from tests.cli.conftest import Capture, Run


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--stage", "view"), "view of None in schemas\n"),
        (("schemas", "--stage", "view"), "view of None in schemas\n"),
        (("schemas/plants", "--stage", "view", "Boiler"), "view of Boiler in schemas/plants\n"),
        (("--stage", "view", "heat.Plate"), "view of heat.Plate in schemas\n"),
        (("heat.Plate", "--stage=view"), "view of heat.Plate in schemas\n"),
        (("--stage=view", "heat.Plate"), "view of heat.Plate in schemas\n"),
    ],
)
def test_show_accepts_root_and_name(
    run: Run, capsys: Capture, project: Path, words: tuple[str, ...], message: str
) -> None:
    assert run("show", *words) == 0
    assert capsys.readouterr() == (message, "")


def test_show_of_invalid_schemas_is_an_error(run: Run, capsys: Capture, project: Path) -> None:
    (project / "schemas/heat.pyi").write_text("wrong\n")
    assert run("show", "--stage", "view") == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert "error[OUTSIDE_LANGUAGE]" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--stage", "vew"), "`vew` is not a stage; did you mean `view`?"),
        (("--stage", "7"), "write one of syntax, schema, program, checked, view, rendered"),
        (("--stage", "plan"), "the stage `plan` was removed; `codegen check --diff` shows"),
        (("--stage", "view", "a", "b"), "give only one NAME, not a, b"),
    ],
)
def test_show_of_unknown_name_or_stage_is_an_error(
    run: Run, capsys: Capture, project: Path, words: tuple[str, ...], message: str
) -> None:
    assert run("show", *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("word", ["ALIAS_CYCLE", "alias_cycle", "Alias-Cycle"])
def test_explain_prints_the_page(run: Run, capsys: Capture, word: str) -> None:
    assert run("explain", word) == 0
    assert capsys.readouterr().out.startswith("# ALIAS_CYCLE\n\n")


def test_explain_without_a_code_lists_all(run: Run, capsys: Capture) -> None:
    assert run("explain") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*map(str, Code), *RUN_TIME]


def test_explain_suggests(run: Run, capsys: Capture) -> None:
    assert run("explain", "alias_cycles") == 2
    assert "`alias_cycles` is not a code; did you mean `ALIAS_CYCLE`?" in capsys.readouterr().err
    assert run("explain", "7") == 2
    assert "`codegen explain` lists all codes" in capsys.readouterr().err


def test_explain_of_a_removed_code_says_what_to_use(run: Run, capsys: Capture) -> None:
    for name, instead in REMOVED.items():
        assert run("explain", name.lower().replace("_", "-")) == 0
        assert capsys.readouterr().out == f"`{name}` was removed: {instead}.\n"


def test_explain_in_json(run: Run, capsys: Capture) -> None:
    assert run("explain", "SYNTAX", "--output-format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["text"].startswith("# SYNTAX\n")


@pytest.mark.parametrize(
    "word", ["ConsumedError", "consumederror", "generated._runtime.call.ConsumedError"]
)
def test_explain_prints_pages_of_runtime_errors(run: Run, capsys: Capture, word: str) -> None:
    assert run("explain", word) == 0
    assert capsys.readouterr().out.startswith("# ConsumedError\n")
    assert run("explain", "ConsumedErro") == 2
    assert "did you mean `ConsumedError`?" in capsys.readouterr().err
