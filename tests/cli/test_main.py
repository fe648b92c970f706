"""Test options, exit statuses and output streams of the command."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import codegen
from codegen import pipeline
from codegen.check.inhabitants import Inhabitants
from codegen.cli.arguments import VERBS, read
from codegen.diagnostics import Code
from tests.cli.conftest import Capture, Run

CHECKOUT = Path(__file__).parents[2]
NO_FOLDER = (
    "the schema folder `no-such-folder` does not exist (given on the command line); "
    "run `codegen init` to set up a project with a first schema"
)


def test_version(run: Run, capsys: Capture) -> None:
    assert run("--version") == 0
    assert (
        capsys.readouterr().out == f"codegen {codegen.__version__} (distribution pytree-codegen)\n"
    )


USAGE_ERRORS = [
    ("", "usage: codegen"),
    ("biuld", "`biuld` is not a verb; did you mean `build`?"),
    ("zzz", "`zzz` is not a verb; write one of build, check, lint, "),
    ("-v --output-format json chekc", "`chekc` is not a verb; did you mean `check`"),
    ("--output-format build check", "argument --output-format: invalid choice"),
    ("build --output-format yaml", "argument --output-format: invalid choice"),
    ("build a b", "usage: codegen build"),
    ("show", "usage: codegen show"),
    ("show --stage", "usage: codegen show"),
    ("build --forse", "`--forse` is not an option; did you mean `--force`?"),
    ("build schemas --uot=a", "`--uot` is not an option; did you mean `--out`?"),
    ("--quite build", "`--quite` is not an option; did you mean `--quiet`?"),
    ("--verson", "`--verson` is not an option; did you mean `--version`?"),
    ("breaking --agianst main", "did you mean `--against`?"),
    ("build --version", "write `--version` without a verb: `codegen --version`\n"),
    ("--force build", "`--force` is an option of a verb: write it after the verb\n"),
    ("--out gen build", "`--out` is an option of a verb: write it after the verb\n"),
    ("rename heat.u t", "`rename` was removed; edit the schema, write `# codegen: was[old_name]`"),
    ("docs heat.u t", "`docs` was removed; "),
    ("plan heat.u t", "print(table(Plate.abstract(nx=4096, ny=4096)))"),
    ("merge-manifest a", "`merge=union` instead of `merge=codegen-manifest`"),
    ("build --output-format sarif", "`sarif` was removed; use `json`, or `github`"),
]


@pytest.mark.parametrize(("words", "message"), USAGE_ERRORS)
def test_usage_error_says_what_to_write(
    run: Run, capsys: Capture, project: Path, words: str, message: str
) -> None:
    assert run(*words.split()) == 2
    streams = capsys.readouterr()
    assert "usage: codegen" in streams.err
    assert message in streams.err
    assert not streams.out or json.loads(streams.out)["error"]
    if "--output-format" not in words:
        assert run("--output-format=json", *words.split()) == 2
        streams = capsys.readouterr()
        assert json.loads(streams.out)["error"]
        assert streams.err.count("usage: codegen") == 1


@pytest.mark.parametrize("words", [("-q", "build"), ("build", "-q"), ("build", "--quiet")])
def test_options_before_or_after_the_command(
    run: Run, capsys: Capture, project: Path, words: tuple[str, ...]
) -> None:
    assert run(*words) == 0
    assert capsys.readouterr() == ("", "")


def test_option_before_the_command_is_used(run: Run, capsys: Capture, project: Path) -> None:
    assert run("--output-format", "json", "-v", "build") == 0
    streams = capsys.readouterr()
    assert json.loads(streams.out) == {"diagnostics": []}
    assert "create generated/heat.py\n" in streams.err


def test_json_output_of_an_error_is_one_document(run: Run, capsys: Capture, project: Path) -> None:
    assert run("build", "no-such-folder", "--output-format", "json") == 2
    streams = capsys.readouterr()
    assert json.loads(streams.out) == {"diagnostics": [], "error": NO_FOLDER}
    assert streams.err == f"error: {NO_FOLDER}\n"


def test_github_format_prints_annotations(run: Run, capsys: Capture, project: Path) -> None:
    (project / "schemas/heat.pyi").write_text("wrong\n")
    assert run("build", "--output-format", "github") == 1
    assert run("build", "no-such-folder", "--output-format", "github") == 2
    out, told = capsys.readouterr()
    assert out == ""
    assert told == (
        "::error file=schemas/heat.pyi,line=1,col=1,endColumn=6,title=OUTSIDE_LANGUAGE::"
        "`wrong` is wrong\n"
        f"::error title=codegen::{NO_FOLDER}\n"
    )


def test_json_contains_diagnostics_and_text(run: Run, capsys: Capture, project: Path) -> None:
    assert run("check", "--diff", "--output-format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert {one["code"] for one in document["diagnostics"]} == {Code.MISSING_OUTPUT.value}
    assert "+++ generated/heat.py" in document["text"]


def test_internal_error_asks_for_a_report(
    run: Run, capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError("one over none")

    monkeypatch.setattr(pipeline, "compile", failing)
    assert run("build") == 2
    told = capsys.readouterr().err
    assert "ZeroDivisionError: one over none" in told
    assert "report" in told
    assert "Traceback" not in told
    assert run("build", "-v") == 2
    assert "Traceback" in capsys.readouterr().err


def _endless(self: Inhabitants, ref: object) -> bool:
    return _endless(self, ref)


@pytest.mark.parametrize("verb", ["build", "check", "lint"])
def test_endless_recursion_names_the_schema(
    verb: str, run: Run, capsys: Capture, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty / "schemas").mkdir()
    (empty / "schemas" / "heat.pyi").write_text("class Grid: ...\n", encoding="utf-8")
    monkeypatch.setattr(Inhabitants, "has_object", _endless)
    assert run(verb) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: schemas/heat.pyi: the schema is nested too deeply, or codegen")
    assert "report" in told
    assert "folders" not in told


def test_an_interrupt_is_one_line(
    run: Run, capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "compile", interrupted)
    assert run("build") == 130
    assert capsys.readouterr() == ("", "error: interrupted\n")
    assert not (project / "generated").exists()


def test_empty_folder_name_is_an_error(run: Run, capsys: Capture, project: Path) -> None:
    for words in (("build", ""), ("build", "--out", ""), ("check", "")):
        assert run(*words) == 2
        assert "a folder name is empty" in capsys.readouterr().err


def test_help_lists_every_command(run: Run, capsys: Capture) -> None:
    assert run("--help") == 0
    told = capsys.readouterr().out
    for verb in ("build", "check", "lint", "breaking", "show", "explain", "init"):
        assert f"\n    {verb} " in told


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_command(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(verb, "--help") == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    example = told.partition("\nexample:\n  codegen ")[2].partition("\n")[0]
    assert read(shlex.split(example.partition(" > ")[0])).run.__module__ == f"codegen.cli.{verb}"
    usage, _, entries = told.partition("\n\n")
    for word in {*re.findall(r"--[\w-]+|\b[A-Z]{3,}\b", usage)} - {"FORMAT", "FILE", "GIT_REF"}:
        assert re.search(rf"^  .*{word}|^{word}:", entries, re.MULTILINE), word
