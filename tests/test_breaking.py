"""Breaking changes between two versions of the schemas: `tests/cases/breaking/`.

CODE/CASE/previous/, current/    two schema folders; `expected.txt` has all reported changes
CODE/good/previous/, current/    two schema folders without a change of that code

`pytest tests/test_breaking.py --update` writes the current results. Review the difference.
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
    return [(os.path.relpath(path, folder.parent), module, data) for path, module, data in found]


def _stages(files: list[File]) -> Stages:
    stages = pipeline.run(files, Options("", ""), "checked")
    assert not stages.report, text.full(stages.report)
    return stages


def _breaking(old: list[File], new: list[File], *kinds: str) -> Report:
    return pipeline.breaking(_stages(old), _stages(new), kinds or KINDS)


def _name(case: Path) -> str:
    return case.relative_to(CASES).as_posix()


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_breaking_case_matches_expected_output(case: Path, pytestconfig: pytest.Config) -> None:
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
def test_good_case_reports_no_change_of_its_code(case: Path) -> None:
    report = _breaking(_files(case / "previous"), _files(case / "current"))
    code = Code[case.parent.name]
    assert text.full(Report(one for one in report if one.code is code)) == ""


@pytest.mark.parametrize("code", sorted(CHANGES), ids=str)
def test_every_code_has_cases(code: Code) -> None:
    assert CASES / code.value / "good" in GOOD
    assert (CASES / code.value / "example").is_dir()


@pytest.mark.parametrize("version", ["previous", "current"])
@pytest.mark.parametrize("case", [*BAD, *GOOD], ids=_name)
def test_version_compared_with_itself_reports_nothing(case: Path, version: str) -> None:
    files = _files(case / version)
    assert text.full(_breaking(files, files)) == ""


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_only_selected_kinds_are_reported(case: Path) -> None:
    old, new = _files(case / "previous"), _files(case / "current")
    whole = _breaking(old, new)
    for kind in KINDS:
        part = _breaking(old, new, kind)
        assert list(part) == [one for one in whole if kind in one.breaks]


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_report_does_not_depend_on_the_order_of_files(case: Path) -> None:
    old, new = _files(case / "previous"), _files(case / "current")
    assert _breaking(old[::-1], new[::-1]) == _breaking(old, new)


def test_comparison_reports_only_codes_of_changes() -> None:
    for case in BAD:
        report = _breaking(_files(case / "previous"), _files(case / "current"))
        assert {one.code for one in report} <= CHANGES
