"""What is advised for a field without a role is no mistake in turn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.diagnostics import Code, Report
from codegen.options import Options

CASE = Path(__file__).parents[1] / "cases/errors/MISSING_ROLE/possible/heat.pyi"
TEXT = CASE.read_text(encoding="utf-8").replace("static\n", "donated, static\n", 1)
ADVISED = re.compile(r"`((?:static|dynamic|donated)\[[^`]+\])`")


def _said(text: str) -> Report:
    return pipeline.run([("heat.pyi", "heat", text.encode())], Options("", "generated")).report


def _advised() -> list[tuple[str, str]]:
    """Every field's type as it is written, and each of the types to write in its place."""
    return [
        (one.source.text[one.span.start : one.span.end], choice)
        for one in _said(TEXT)
        if one.code is Code.MISSING_ROLE
        for choice in ADVISED.findall(one.help)
        if "[T]" not in choice
    ]


@pytest.mark.parametrize(("type", "choice"), _advised())
def test_what_is_advised_is_legal(type: str, choice: str) -> None:
    head, _, _ = TEXT.partition("class Plate:")
    assert choice.partition("[")[2] == f"{type}]"
    assert not _said(f"{head}class Plate:\n    field: {choice}\n")
