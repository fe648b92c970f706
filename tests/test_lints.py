"""The lints and their fixes: `tests/cases/lints/`.

CODE/CASE/before/    a schema folder, with `expected.txt` beside it: what the lint CODE finds there
CODE/CASE/after/     the same as `codegen lint --fix` leaves it; missing where nothing is mended
CODE/good/           a schema folder in which the lint CODE finds nothing

`pytest tests/test_lints.py --update` writes what is expected; read the difference.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.diagnostics import Code, Edit, Report, Severity, text
from codegen.files.schemas import schemas
from codegen.fixing import fix, rewritten
from codegen.linted.rules import DEFAULT, LINTS, OPTIONAL, RULES
from codegen.options import Options
from codegen.pipeline import File
from codegen.source import Span

CASES = Path(__file__).parent / "cases" / "lints"
GOOD = sorted(CASES.glob("*/good"))
BAD = sorted(path.parent for path in CASES.glob("*/*/before"))
OPTIONS = Options("", "generated")


def _files(folder: Path) -> list[File]:
    found = schemas(str(folder))
    return [
        (os.path.relpath(path, folder).replace(os.sep, "/"), m, data) for path, m, data in found
    ]


def _chosen(code: Code) -> frozenset[Code]:
    """The lint alone; with all others, where it is about them."""
    return LINTS if code is Code.UNUSED_IGNORE else frozenset({code})


def _lint(files: list[File], code: Code) -> Report:
    report = pipeline.lint(files, OPTIONS, _chosen(code))
    assert not report.has_errors, text.full(report)
    return Report(one for one in report if one.code is code)


def _name(path: Path) -> str:
    return path.relative_to(CASES).as_posix()


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_what_is_found(case: Path, pytestconfig: pytest.Config) -> None:
    report = _lint(_files(case / "before"), Code[case.parent.name])
    expected = case / "expected.txt"
    if pytestconfig.getoption("--update"):
        expected.write_text(text.full(report), encoding="utf-8")
    assert text.full(report) == expected.read_text(encoding="utf-8")
    assert report
    for one in report:
        assert one.severity is Severity.WARNING
        assert one.label
        assert one.help


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_what_is_mended(case: Path, pytestconfig: pytest.Config) -> None:
    code = Code[case.parent.name]
    before = _files(case / "before")
    fixed = fix(before, OPTIONS, _chosen(code))
    assert bool(fixed.done) == (list(fixed.files) != before)
    after = case / "after"
    if pytestconfig.getoption("--update"):
        _write(fixed.files if fixed.done else (), after)
    assert after.is_dir() == bool(fixed.done)
    if fixed.done:
        assert list(fixed.files) == _files(after)
        assert all(one.fix is None for one in fixed.report)
        again = fix(list(fixed.files), OPTIONS, _chosen(code))
        assert (again.files, again.done) == (fixed.files, ())


def _write(files: tuple[File, ...], folder: Path) -> None:
    if folder.is_dir():
        shutil.rmtree(folder)
    for path, _, data in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


@pytest.mark.parametrize("case", GOOD, ids=_name)
def test_nothing_is_found(case: Path) -> None:
    files = _files(case)
    assert files
    assert text.full(_lint(files, Code[case.parent.name])) == ""


@pytest.mark.parametrize("code", sorted(LINTS), ids=str)
def test_every_lint_has_its_cases(code: Code) -> None:
    assert CASES / code.value / "good" in GOOD
    assert any(case.parent.name == code.value for case in BAD)


def test_the_table_is_complete() -> None:
    assert {Path(*case.relative_to(CASES).parts[:1]).name for case in BAD} == LINTS
    assert {*RULES, Code.UNUSED_IGNORE} == LINTS
    assert OPTIONAL < LINTS
    assert DEFAULT == LINTS - OPTIONAL


def test_mistakes_come_first() -> None:
    report = pipeline.lint([("a.pyi", "a", b"n: int\n")], OPTIONS, LINTS)
    assert report.has_errors
    fixed = fix([("a.pyi", "a", b"from codegen.schema import Dim\nn: int\n")], OPTIONS, LINTS)
    assert fixed.done == ()
    assert fixed.report.has_errors


def test_what_one_fix_leaves_unused_goes_too() -> None:
    schema = (
        b"from codegen.schema import Dim, static\n\nnx = Dim()\n\nclass A:\n    x: static[int]\n"
    )
    fixed = fix([("a.pyi", "a", schema)], OPTIONS, DEFAULT)
    assert fixed.files[0][2] == (
        b"from codegen.schema import static\n\nclass A:\n    x: static[int]\n"
    )
    assert fixed.done == (
        ("a.pyi", "remove the dimension `nx`"),
        ("a.pyi", "remove the import of `Dim`"),
    )
    assert not fixed.report


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_fix_keeps_the_bytes_around_it(mark: bytes, end: bytes) -> None:
    lines = [b"# caf\xc3\xa9", b"from codegen.schema import Dim, static", b"", b"class A:"]
    lines += [b"    x: static[int]  # \xe6\xb8\xa9", b""]
    schema = mark + end.join(lines)
    fixed = fix([("a.pyi", "a", schema)], OPTIONS, DEFAULT)
    assert fixed.files[0][2] == schema.replace(b"Dim, ", b"")


def test_an_unused_import_goes_before_what_it_imports() -> None:
    grid = ("grid.pyi", "grid", b"from codegen.schema import Dim\n\nn = Dim()\n")
    bar = ("bar.pyi", "bar", b"from .grid import n\n")
    fixed = fix([bar, grid], OPTIONS, DEFAULT)
    assert [path for path, _ in fixed.done] == ["bar.pyi", "grid.pyi", "grid.pyi"]
    assert [data for _, _, data in fixed.files] == [b"", b""]
    alone = fix([bar, grid], OPTIONS, {Code.UNUSED_DIMENSION})
    assert alone.done == ()
    assert [one.code for one in alone.report] == [Code.UNUSED_DIMENSION]


def test_mixed_line_ends_stay_mixed() -> None:
    data = b"a\r\nb\nc\r\nd\n"  # the text "a\nb\nc\nd\n"
    assert rewritten(data, []) == data
    assert rewritten(data, [Edit(Span(2, 4), "")]) == b"a\r\nc\r\nd\n"
    assert rewritten(data, [Edit(Span(4, 6), ""), Edit(Span(0, 1), "x")]) == b"x\r\nb\nd\n"
    assert rewritten(data, [Edit(Span(8, 8), "e")]) == data + b"e"


def test_the_schemas_of_the_project_are_fine() -> None:
    root = Path(__file__).parent.parent / "schemas"
    assert text.full(pipeline.lint(schemas(str(root)), OPTIONS, DEFAULT)) == ""
