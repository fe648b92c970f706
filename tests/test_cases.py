"""Schemas and the results of each stage: `tests/cases/`.

errors/CODE/CASE/    a schema folder; `expected.txt` has the whole report
errors/CODE/good/    a schema folder with an empty report
language/TOPIC/      a valid schema folder; `expected/STAGE.txt` has the result of a stage

`pytest tests/test_cases.py --update` writes the current results. Review the difference.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.cli.show import text_of
from codegen.diagnostics import Code, Report, text
from codegen.diff.comparison import CHANGES
from codegen.lint.lint import LINTS
from codegen.options import Options
from codegen.output.schemas import misnamed, schemas

CASES = Path(__file__).parent / "cases"
GOOD = sorted(CASES.glob("errors/*/good"))
BAD = sorted(path for path in CASES.glob("errors/*/*/") if path.name != "good")
LANGUAGE = sorted(CASES.glob("language/*/expected/*.txt"))
OPTIONS = Options("", "generated")

# Errors that need no schema, with the test files that cover them.
ELSEWHERE = {
    Code.BAD_SETTING: "cli/test_settings.py",
    Code.EDITED_OUTPUT: "unit/test_plan.py",
    Code.FOREIGN_OUTPUT: "unit/test_plan.py",
    Code.LINKED_OUTPUT: "unit/test_plan.py",
    Code.MISSING_OUTPUT: "unit/test_plan.py",
    Code.ORPHANED_OUTPUT: "unit/test_plan.py",
    Code.OUTSIDE_OUTPUT: "unit/test_plan.py",
    Code.STALE_OUTPUT: "unit/test_plan.py",
    Code.UNKNOWN_SETTING: "cli/test_settings.py",
}
# Bytes that git or editors would change in a file. Each entry is one whole file.
BYTES: dict[Code, bytes] = {
    Code.CARRIAGE_RETURN: b"nx = 1\rny = 2\n",
    Code.CONTROL_CHARACTER: b"nx = 1  # \x00\n",
    Code.NOT_UTF8: "nx = 1  # café\n".encode("latin-1"),
    Code.SOURCE_TOO_LARGE: b"#" * (1 << 20) + b"\n",
}

# Empty schemas with names that are one name on macOS, where a checkout cannot have both.
NAMES = {
    "CASE_COLLISION/files": ("Heat.pyi", "heat.pyi"),
    "CASE_COLLISION/folders": ("Plants/a.pyi", "plants/b.pyi"),
}


def _said(files: list[pipeline.File], root: str) -> Report:
    return misnamed(files, root) or pipeline.run(files, OPTIONS).report


def _files(case: Path) -> list[pipeline.File]:
    """Read the schemas of a case, with paths that are the same on every machine."""
    found = schemas(str(case))
    files = [(os.path.relpath(path, case), m, data) for path, m, data in found]
    return files + [(name, name[:-4].replace("/", "."), b"") for name in NAMES.get(_name(case), ())]


def _name(path: Path) -> str:
    return path.relative_to(CASES).as_posix().removeprefix("errors/").removesuffix(".txt")


def _compare(written: str, expected: Path, *, update: bool) -> None:
    if update:
        expected.write_text(written, encoding="utf-8")
    assert written == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_error_case_matches_expected_report(case: Path, pytestconfig: pytest.Config) -> None:
    report = _said(_files(case), "")
    assert Code[case.parent.name] in {one.code for one in report}
    _compare(
        text.full(report), case / "expected.txt", update=bool(pytestconfig.getoption("--update"))
    )


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_every_diagnostic_has_a_message_and_help(case: Path) -> None:
    for one in _said(_files(case), ""):
        assert one.message
        assert one.help, one.message


@pytest.mark.parametrize("case", GOOD, ids=_name)
def test_good_case_has_an_empty_report(case: Path) -> None:
    files = _files(case)
    assert files
    assert text.full(_said(files, "")) == ""


@pytest.mark.parametrize("expected", LANGUAGE, ids=_name)
def test_language_case_matches_expected_stage(expected: Path, pytestconfig: pytest.Config) -> None:
    files = _files(expected.parent.parent)
    shown = text_of(files, OPTIONS, expected.stem, None)
    assert isinstance(shown, str), text.full(shown)
    assert text.full(_said(files, "")) == ""
    _compare(shown, expected, update=bool(pytestconfig.getoption("--update")))


@pytest.mark.parametrize("code", BYTES, ids=str)
def test_file_with_invalid_bytes_is_reported(code: Code) -> None:
    report = _said([("a.pyi", "a", BYTES[code])], "")
    assert [one.code for one in report] == [code]


@pytest.mark.parametrize(
    ("data", "is_fine"),
    [
        (b"\xef\xbb\xbf# a byte order mark\r\n", True),
        (b"# -*- coding: utf-8 -*-\n", True),
        (b"# " + b"x" * ((1 << 20) - 3) + b"\n", True),
        (b"", True),
        (b"nx = 1  # \xef\xbb\xbf\n", False),
        ("nx = 1\n".encode("utf-16"), False),
    ],
)
def test_valid_encodings_are_accepted(data: bytes, *, is_fine: bool) -> None:
    assert bool(_said([("a.pyi", "a", data)], "")) is not is_fine


@pytest.mark.parametrize("code", Code, ids=str)
def test_every_code_has_cases(code: Code) -> None:
    if code in LINTS | CHANGES:
        return  # These codes have cases of another form, which their own tests check.
    if code in ELSEWHERE:
        test = Path(__file__).parent / ELSEWHERE[code]
        words = test.read_text(encoding="utf-8")
        assert code.value in words or f"Reason.{code.value.removesuffix('_OUTPUT')}" in words
        return
    assert CASES / "errors" / code.value / "good" in GOOD
    assert code in BYTES or any(case.parent.name == code.value for case in BAD)


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_report_does_not_depend_on_the_order_of_files(case: Path) -> None:
    files = _files(case)
    assert _said(files, "") == _said(files[::-1], "")


def _decomposed(word: str) -> str:
    return unicodedata.normalize("NFD", word)


@pytest.mark.parametrize("spell", [_decomposed, str.upper])
def test_file_names_that_collide_on_other_file_systems(spell: Callable[[str], str]) -> None:
    files = [(f"{name}.pyi", name, b"") for name in ("café", spell("café"))]
    assert Code.CASE_COLLISION in {one.code for one in misnamed(files, "")}
