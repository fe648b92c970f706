"""The machine-readable formats, validated with their schemas, for every error of `tests/cases`."""

from __future__ import annotations

import json as standard_json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

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
    sarif,
)
from codegen.options import Options
from codegen.output.schemas import misnamed, schemas
from codegen.source import Source, whole_file
from tests.inputs import over

ROOT = Path(__file__).parents[2]
OWN = ROOT / "codegen/diagnostics/output.schema.json"
STANDARD = Path(__file__).parent / "sarif.schema.json"
CASES = sorted(ROOT.glob("tests/cases/errors/*/*/"))


@cache
def _validator(path: Path) -> jsonschema.Draft202012Validator:
    schema = standard_json.loads(path.read_text(encoding="utf-8"))
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
def test_json_and_sarif_conform_to_their_schemas(given: Report | Path) -> None:
    report = _report(given) if isinstance(given, Path) else given
    for module, schema in ((json, OWN), (sarif, STANDARD)):
        for text, error in (("", ""), ("some text", "an error")):
            written = module.document(report, text, error)
            assert written.isascii()
            _validator(schema).validate(standard_json.loads(written))


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a b/温.pyi", "a%20b/%E6%B8%A9.pyi"), ("/a/b.pyi", "file:///a/b.pyi"), ("\udcff", "%FF")],
)
def test_sarif_uris(path: str, uri: str) -> None:
    report = Report((Diagnostic(Code.NOT_UTF8, whole_file(path, "b"), "m"),))
    (run,) = standard_json.loads(sarif.document(report))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri}


@pytest.mark.parametrize("path", [OWN, STANDARD])
def test_json_schemas_reject_additional_properties(path: Path) -> None:
    module = json if path == OWN else sarif
    good = standard_json.loads(module.document(_with_everything(), "text", "error"))
    places = _objects(good, ())
    refused = [place for place in places if _is_refused(path, good, place)]
    # A property bag may contain anything, according to the standard.
    assert [place for place in places if place not in refused] == (
        [] if path == OWN else [("runs", 0, "results", 0, "properties"), ("runs", 0, "properties")]
    )


def _is_refused(path: Path, good: Any, place: tuple[Any, ...]) -> bool:
    """Whether the document is rejected after adding an unknown property to one of its objects."""
    broken = standard_json.loads(standard_json.dumps(good))
    target = broken
    for step in place:
        target = target[step]
    target["no such thing"] = 1
    return bool(list(_validator(path).iter_errors(broken)))


def _objects(value: Any, place: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        inner = [p for key, one in value.items() for p in _objects(one, (*place, key))]
        return [place, *inner]
    if isinstance(value, list):
        return [p for index, one in enumerate(value) for p in _objects(one, (*place, index))]
    return []


def test_the_published_schema_is_the_shipped_one() -> None:
    assert (ROOT / "docs/output.schema.json").read_bytes() == OWN.read_bytes()


def test_sarif_output() -> None:
    run = standard_json.loads(sarif.document(_with_everything(), "text", "why"))["runs"][0]
    full, bare = run["results"]
    assert (
        full["ruleId"]
        == run["tool"]["driver"]["rules"][full["ruleIndex"]]["id"]
        == "OUTSIDE_LANGUAGE"
    )
    assert full["level"] == "warning"
    assert full["message"] == {"text": "the message\na label\n100 %\nof help, or: more"}
    assert full["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20%25b/%E6%B8%A9.pyi"},
        "region": {"startLine": 1, "startColumn": 8, "endLine": 2, "endColumn": 9},
    }
    assert full["relatedLocations"][0]["message"] == {"text": "related"}
    replacement = full["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["deletedRegion"] == {
        "startLine": 1,
        "startColumn": 8,
        "endLine": 1,
        "endColumn": 11,
    }
    assert full["properties"] == {"breaks": ["source", "checkpoint"]}
    assert "region" not in bare["locations"][0]["physicalLocation"]
    assert run["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [{"level": "error", "message": {"text": "why"}}],
        }
    ]
    assert run["properties"] == {"text": "text"}


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
