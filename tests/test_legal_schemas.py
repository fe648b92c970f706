"""Every legal schema can be linted, fixed, compared and shown: test cases, and random changes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen import pipeline
from codegen.diagnostics import Report, json, text
from codegen.diff.comparison import CHANGES, KINDS
from codegen.lint.fix import fix
from codegen.lint.lint import LINTS
from codegen.options import Options
from codegen.output.schemas import misnamed, schemas
from codegen.pipeline import File, Stages
from tests.inputs import over

CASES = Path(__file__).parent / "cases"
OPTIONS = Options("", "generated")
FOLDERS = sorted(
    {*CASES.glob("language/*"), *CASES.glob("errors/*/good"), *CASES.glob("lints/*/*/before")}
)
WORD = re.compile(r"\w+(?:\[[^\[\]\n]*\])?")
TEXTS = sorted(
    path.read_text(encoding="utf-8") for folder in FOLDERS for path in folder.rglob("*.pyi")
)
WORDS = sorted({word for schema in TEXTS for word in WORD.findall(schema)})


def _check(files: list[File], stages: Stages) -> None:
    """Run every command that reads valid schemas."""

    def judge(files: Sequence[File]) -> Report:
        return pipeline.lint(files, OPTIONS, LINTS)

    report = judge(files)
    assert {one.code for one in report} <= LINTS
    text.full(report)
    json.document(report)
    fixed = fix(files, judge)
    assert not fixed.report.has_errors
    again = fix(fixed.files, judge)
    assert (again.files, again.done) == (fixed.files, ())
    assert not pipeline.breaking(stages, stages, KINDS)


@over(FOLDERS)
def test_all_commands_on_cases(folder: Path) -> None:
    files: list[File] = list(schemas(str(folder)))
    stages = pipeline.run(files, OPTIONS, "checked")
    if stages.checked is not None and not misnamed(files, str(folder)):
        _check(files, stages)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
@given(st.data())
def test_all_commands_on_random_changes_of_cases(data: st.DataObject) -> None:
    before = data.draw(st.sampled_from([schema for schema in TEXTS if schema]))
    after = before
    for _ in range(data.draw(st.integers(1, 2))):
        start, end = data.draw(st.sampled_from([match.span() for match in WORD.finditer(after)]))
        after = after[:start] + data.draw(st.sampled_from(WORDS)) + after[end:]
    old, new = (
        pipeline.run([("a.pyi", "a", schema.encode())], OPTIONS, "checked")
        for schema in (before, after)
    )
    if new.checked is None:
        return
    _check([("a.pyi", "a", after.encode())], new)
    if old.checked is not None:
        found = pipeline.breaking(old, new, KINDS)
        assert {one.code for one in found} <= CHANGES
        text.full(found)
