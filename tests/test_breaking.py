"""What breaks between two versions of the schemas: `tests/cases/breaking/`.

CODE/CASE/previous/, current/    two schema folders; `expected.txt` beside them is all that is said
CODE/good/previous/, current/    two between which nothing is said with that code

`pytest tests/test_breaking.py --update` writes what is expected; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.diagnostics import Code, Report, text
from codegen.diff.comparison import CHANGES, KINDS
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import File, Stages

CASES = Path(__file__).parent / "cases" / "breaking"
GOOD = sorted(CASES.glob("*/good"))
BAD = sorted({path.parent for path in CASES.glob("*/*/previous")} - {*GOOD})


def _files(folder: Path) -> list[File]:
    found = schemas(str(folder))
    return [
        (os.path.relpath(path, folder.parent).replace(os.sep, "/"), module, data)
        for path, module, data in found
    ]


def _stages(files: list[File]) -> Stages:
    stages = pipeline.run(files, Options("", ""), "checked")
    assert not stages.report, text.full(stages.report)
    return stages


def _breaking(old: list[File], new: list[File], *kinds: str) -> Report:
    return pipeline.breaking(_stages(old), _stages(new), kinds or KINDS)


def _name(case: Path) -> str:
    return case.relative_to(CASES).as_posix()


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_what_breaks(case: Path, pytestconfig: pytest.Config) -> None:
    report = _breaking(_files(case / "previous"), _files(case / "current"))
    expected = case / "expected.txt"
    if pytestconfig.getoption("--update"):
        expected.write_text(text.full(report), encoding="utf-8")
    assert text.full(report) == expected.read_text(encoding="utf-8")
    assert Code[case.parent.name] in {one.code for one in report}
    for one in report:
        assert one.breaks
        assert one.help
        assert list(one.breaks) == [kind for kind in KINDS if kind in one.breaks]


@pytest.mark.parametrize("case", GOOD, ids=_name)
def test_what_does_not_break(case: Path) -> None:
    report = _breaking(_files(case / "previous"), _files(case / "current"))
    code = Code[case.parent.name]
    assert text.full(Report(one for one in report if one.code is code)) == ""


@pytest.mark.parametrize("code", sorted(CHANGES), ids=str)
def test_every_kind_of_change_has_its_cases(code: Code) -> None:
    assert CASES / code.value / "good" in GOOD
    assert (CASES / code.value / "example").is_dir()


@pytest.mark.parametrize("version", ["previous", "current"])
@pytest.mark.parametrize("case", [*BAD, *GOOD], ids=_name)
def test_a_version_does_not_break_itself(case: Path, version: str) -> None:
    files = _files(case / version)
    assert text.full(_breaking(files, files)) == ""


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_only_the_kinds_that_are_asked_for(case: Path) -> None:
    old, new = _files(case / "previous"), _files(case / "current")
    whole = _breaking(old, new)
    for kind in KINDS:
        part = _breaking(old, new, kind)
        assert list(part) == [one for one in whole if kind in one.breaks]


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_the_order_of_files_changes_nothing(case: Path) -> None:
    old, new = _files(case / "previous"), _files(case / "current")
    assert _breaking(old[::-1], new[::-1]) == _breaking(old, new)


def test_only_changes_are_found() -> None:
    for case in BAD:
        report = _breaking(_files(case / "previous"), _files(case / "current"))
        assert {one.code for one in report} <= CHANGES
