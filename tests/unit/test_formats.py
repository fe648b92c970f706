"""The machine-readable formats, validated with their schemas, for every error of `tests/cases`."""

from __future__ import annotations

import json as standard_json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from codegen import pipeline
from codegen.diagnostics import (
    Code,
    Diagnostic,
    Edit,
    Fix,
    Related,
    Report,
    Severity,
    github,
    json,
)
from codegen.options import Options
from codegen.output.schemas import misnamed, schemas
from codegen.source import Source, whole_file
from tests.inputs import over

ROOT = Path(__file__).parents[2]
OWN = ROOT / "codegen/diagnostics/output.schema.json"
CASES = sorted(ROOT.glob("tests/cases/errors/*/*/"))


@cache
def _validator() -> jsonschema.Draft202012Validator:
    schema = standard_json.loads(OWN.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def _with_everything() -> Report:
    """Return a diagnostic with every possible part, and a minimal one."""
    source = Source("a %b/温.pyi", "a", "import x, y\nimport z\n")
    full = Diagnostic(
        Code.OUTSIDE_LANGUAGE,
        source.at(7, 20),
        "the message",
        "a label",
        "100 %\nof help, or: more",
        (Related(source.at(0, 1), "related"),),
        Severity.WARNING,
        Fix("remove `x`", (Edit(source.at(7, 10), ""),)),
        ("source", "checkpoint"),
    )
    return Report((full, Diagnostic(Code.NOT_UTF8, whole_file("b.pyi", "b"), "m")))


def _report(case: Path) -> Report:
    files = schemas(str(case))
    return misnamed(files, str(case)) or pipeline.run(files, Options("", "")).report


@over([Report(), _with_everything(), *CASES])
def test_json_conforms_to_its_schema(given: Report | Path) -> None:
    report = _report(given) if isinstance(given, Path) else given
    for text, error in (("", ""), ("some text", "an error")):
        written = json.document(report, text, error)
        assert written.isascii()
        _validator().validate(standard_json.loads(written))


def test_json_schema_rejects_additional_properties() -> None:
    good = standard_json.loads(json.document(_with_everything(), "text", "error"))
    places = _objects(good, ())
    assert [place for place in places if not _is_refused(good, place)] == []


def _is_refused(good: Any, place: tuple[Any, ...]) -> bool:
    """Whether the document is rejected after adding an unknown property to one of its objects."""
    broken = standard_json.loads(standard_json.dumps(good))
    target = broken
    for step in place:
        target = target[step]
    target["no such thing"] = 1
    return bool(list(_validator().iter_errors(broken)))


def _objects(value: Any, place: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        inner = [p for key, one in value.items() for p in _objects(one, (*place, key))]
        return [place, *inner]
    if isinstance(value, list):
        return [p for index, one in enumerate(value) for p in _objects(one, (*place, index))]
    return []


def test_the_published_schema_is_the_shipped_one() -> None:
    assert (ROOT / "docs/output.schema.json").read_bytes() == OWN.read_bytes()


def test_github_output() -> None:
    assert github.commands(_with_everything()) == (
        "::warning file=a %25b/温.pyi,line=1,endLine=2,title=OUTSIDE_LANGUAGE::"
        "the message%0Aa label%0Abreaks source, checkpoint%0A100 %25%0Aof help, or: more\n"
        "::error file=b.pyi,title=NOT_UTF8::m\n"
    )
    source = Source("a,b:c.pyi", "a", "x = 1\r\x1b")
    one = Diagnostic(Code.OUTSIDE_LANGUAGE, source.at(0, 1), "a\r::error::b\x1b")
    assert github.commands(Report((one,))) == (
        "::error file=a%2Cb%3Ac.pyi,line=1,col=1,endColumn=2,title=OUTSIDE_LANGUAGE::a\\r::error::b\\x1b\n"
    )
    assert github.problem("a\nb") == "::error title=codegen::a%0Ab\n"


@over(CASES)
def test_every_annotation_is_one_command(case: Path) -> None:
    report = _report(case)
    lines = github.commands(report).split("\n")
    assert len(lines) == len(report) + 1
    command = re.compile(r"::(error|warning) file=[^,:]+(,\w+=[^,:]+)*::[^\r\n]+")
    assert all(command.fullmatch(line) for line in lines[:-1])
