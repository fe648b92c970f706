"""The lints and their fixes: `tests/cases/lints/`.

CODE/CASE/before/    a schema folder; `expected.txt` has the findings of the lint CODE
CODE/CASE/after/     the result of `codegen lint --fix`; missing if nothing can be fixed
CODE/CASE/*.py       Python modules that schemas name, if any; also for `good/`
CODE/good/           a schema folder in which the lint CODE finds nothing

`pytest tests/test_lints.py --update` writes the current results. Review the difference.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from msgspec.structs import replace

from codegen import pipeline
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report, Severity, text
from codegen.lint.fix import Fixed, rewritten
from codegen.lint.fix import fix as fix_files
from codegen.lint.lint import LINTS, RULES
from codegen.lint.linting import Python
from codegen.options import Options
from codegen.output import system
from codegen.output.schemas import schemas
from codegen.pipeline import File
from codegen.source import Source

CASES = Path(__file__).parent / "cases" / "lints"
GOOD = sorted(CASES.glob("*/good"))
BAD = sorted(path.parent for path in CASES.glob("*/*/before"))
OPTIONS = Options("", "generated")


def _files(folder: Path) -> list[File]:
    found = schemas(str(folder))
    return [(os.path.relpath(path, folder), m, data) for path, m, data in found]


def _chosen(code: Code) -> frozenset[Code]:
    """Select this lint, or all lints if the case is about several."""
    return LINTS if code is Code.UNUSED_IGNORE else frozenset({code})


def _python(folder: Path) -> Callable[[str], str | None]:
    return lambda module: system.python_source(module, str(folder))


def fix(
    files: list[File], options: Options, chosen: Collection[Code], python: Python = lambda _: None
) -> Fixed:
    return fix_files(files, lambda files: pipeline.lint(files, options, chosen, python))


def _lint(files: list[File], code: Code, folder: Path) -> Report:
    report = pipeline.lint(files, OPTIONS, _chosen(code), _python(folder))
    assert not report.has_errors, text.full(report)
    return Report(one for one in report if one.code is code)


def _name(path: Path) -> str:
    return path.relative_to(CASES).as_posix()


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_lint_case_matches_expected_report(case: Path, pytestconfig: pytest.Config) -> None:
    report = _lint(_files(case / "before"), Code[case.parent.name], case)
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
def test_lint_fix_matches_expected_schema(case: Path, pytestconfig: pytest.Config) -> None:
    code = Code[case.parent.name]
    before = _files(case / "before")
    fixed = fix(before, OPTIONS, _chosen(code), _python(case))
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
def test_good_case_has_no_finding(case: Path) -> None:
    files = _files(case)
    assert files
    assert text.full(_lint(files, Code[case.parent.name], case)) == ""


@pytest.mark.parametrize("code", sorted(LINTS), ids=str)
def test_every_lint_has_cases(code: Code) -> None:
    assert CASES / code.value / "good" in GOOD
    assert any(case.parent.name == code.value for case in BAD)


def test_table_of_lints_in_docs_is_complete() -> None:
    assert {Path(*case.relative_to(CASES).parts[:1]).name for case in BAD} == LINTS
    assert {*RULES, Code.UNUSED_IGNORE} == LINTS


def test_lints_are_not_run_on_invalid_schemas() -> None:
    report = pipeline.lint([("a.pyi", "a", b"n: int\n")], OPTIONS, LINTS)
    assert report.has_errors
    fixed = fix([("a.pyi", "a", b"from codegen.schema import Dim\nn: int\n")], OPTIONS, LINTS)
    assert fixed.done == ()
    assert fixed.report.has_errors


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_fix_keeps_surrounding_bytes(mark: bytes, end: bytes) -> None:
    lines = [b"# caf\xc3\xa9", b"from codegen.schema import Dim, static", b"n = Dim()", b""]
    lines += [b"class A:", b"    x: static[int]  # \xe6\xb8\xa9", b""]
    schema = mark + end.join(lines)
    fixed = fix([("a.pyi", "a", schema)], OPTIONS, LINTS)
    assert fixed.files[0][2] == schema.replace(b"n = Dim()" + end, b"")


def test_imported_dimension_is_not_removed() -> None:
    grid = ("grid.pyi", "grid", b"from codegen.schema import Dim\n\nn = Dim()\n")
    bar = ("bar.pyi", "bar", b"from .grid import n\n")
    fixed = fix([bar, grid], OPTIONS, LINTS)
    assert fixed.done == ()
    assert [one.code for one in fixed.report] == [Code.UNUSED_DIMENSION]


def test_conflicting_fixes_are_not_combined() -> None:
    schema = (
        b"from codegen.schema import dynamic, f32, impl, static\nfrom .b import S\n\n"
        b'@impl("m:f")\ndef f(s: dynamic[S], x: dynamic[f32]) -> f32: ...\n'
    )
    other = b"from codegen.schema import Dim, static\nm = Dim()\n\nclass S:\n    n: static[int]\n"
    fixed = fix([("a.pyi", "a", schema), ("b.pyi", "b", other)], OPTIONS, LINTS)
    assert fixed.done == (("a.pyi", "write `static`"), ("b.pyi", "remove the dimension `m`"))
    assert fixed.files[0][2] == schema.replace(b"dynamic[S]", b"static[S]")
    assert fixed.files[1][2] == other.replace(b"m = Dim()\n", b"")
    assert not fixed.report
    assert fixed.not_applied == ()


def _judge(files: list[File], _options: Options, _chosen: frozenset[Code]) -> Report:
    """Offer to remove each `-` and each `!`. Removing a `!` is an error."""
    found: list[Diagnostic] = []
    for path, module, data in files:
        source = Source(path, module, data.decode())
        if source.text.count("#") != source.text.count("!"):
            return Report([Diagnostic(Code.OUTSIDE_LANGUAGE, source.at(0, 0), "wrong")])
        for at, sign in enumerate(source.text):
            if sign in "-!":
                said = Fix(f"take `{sign}` away", (Edit(source.at(at, at + 1), ""),))
                one = Diagnostic(Code.UNUSED_DIMENSION, source.at(at, at + 1), sign, fix=said)
                found.append(replace(one, severity=Severity.WARNING))
    return Report(found)


@pytest.mark.parametrize("bad", [0, 1, 5, 40])
def test_wrong_fix_does_not_prevent_other_fixes(bad: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def judge(files: list[File], options: Options, chosen: frozenset[Code], _: object) -> Report:
        calls.append(1)
        return _judge(files, options, chosen)

    monkeypatch.setattr(pipeline, "lint", judge)
    wrong = [(f"a{at}.pyi", f"a{at}", b"-x#!-y") for at in range(bad)]
    fine = [(f"b{at}.pyi", f"b{at}", b"x-y-") for at in range(40 - bad)]
    fixed = fix([*wrong, *fine], OPTIONS, LINTS)
    assert {data for _, _, data in fixed.files} <= {b"x#!y", b"xy"}
    assert len(fixed.done) == 80
    assert fixed.not_applied == tuple(sorted((path, "take `!` away") for path, _, _ in wrong))
    assert len(calls) <= 4 + 2 * (80 + bad)


def test_mixed_line_endings_are_kept() -> None:
    data = b"a\r\nb\nc\r\nd\n"
    source = Source("a.pyi", "a", "a\nb\nc\nd\n")
    assert rewritten(data, []) == data
    assert rewritten(data, [Edit(source.at(2, 4), "")]) == b"a\r\nc\r\nd\n"
    assert (
        rewritten(data, [Edit(source.at(4, 6), ""), Edit(source.at(0, 1), "x")]) == b"x\r\nb\nd\n"
    )
    assert rewritten(data, [Edit(source.at(8, 8), "e")]) == data + b"e"


def test_schemas_of_the_project_have_no_findings() -> None:
    root = Path(__file__).parent.parent / "schemas"
    assert text.full(pipeline.lint(schemas(str(root)), OPTIONS, LINTS)) == ""
