"""Diagnostics: the three text formats, suggestions and pages."""

from __future__ import annotations

import json as standard_json
import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from codegen.diagnostics import Code, Diagnostic, Related, Report, Severity, json, text
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.frame import LINE_CHARACTERS_MAX
from codegen.diagnostics.pages import page
from codegen.diagnostics.suggest import suggest
from codegen.source import Source
from tests.inputs import over

HEAT = Source(
    "schemas/heat.pyi",
    "heat",
    "from codegen.schema import static\n" * 11 + "    nx: statik[int]  # cells along x\n",
)
STATIK = HEAT.text.index("statik")


def _one(
    source: Source,
    start: int,
    end: int,
    *,
    label: str = "",
    advice: str = "",
) -> Diagnostic:
    return Diagnostic(Code.OUTSIDE_LANGUAGE, source.at(start, end), "the message", label, advice)


def _source(text: str, path: str = "a.pyi") -> Source:
    return Source(path, "a", text)


def _full(diagnostic: Diagnostic) -> str:
    return text.full(Report((diagnostic,)))


def _expected(frame: str) -> str:
    return dedent(frame).removeprefix("\n")


def test_related_places_share_the_source_excerpt() -> None:
    source = _source("nx = 1\n\n\nnx = 2\nx = 3\n")
    other = _source("nx = 0\n", "b.pyi")
    again = _one(source, 9, 11, label="again", advice="rename it")
    related = (
        Related(source.at(0, 2), "first declared here"),
        Related(source.at(16, 17), "used here"),
        Related(other.at(0, 2), "and here"),
    )
    assert _full(replace(again, related=related)) == (
        _expected(
            """
            error[OUTSIDE_LANGUAGE]: the message
             --> a.pyi:4:1
              |
            1 | nx = 1
              | -- first declared here
            ...
            4 | nx = 2
              | ^^ again
            5 | x = 3
              | - used here
             ::: b.pyi:1:1
              |
            1 | nx = 0
              | -- and here
              |
              = help: rename it
            """
        )
    )


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "marks"),
    [
        pytest.param("abc", 3, 3, "abc", "   ^", id="end of the line"),
        pytest.param("a b", 2, 2, "a b", "  ^", id="empty span"),
        pytest.param("\tabc", 1, 4, "    abc", "    ^^^", id="tab"),
        pytest.param("温 = x", 4, 5, "温 = x", "     ^", id="wide character before"),
        pytest.param("温温", 0, 2, "温温", "^^^^", id="wide characters marked"),
        pytest.param("e\u0301 = x", 5, 6, "e\u0301 = x", "    ^", id="combining character"),
        pytest.param("a\x1b[1m", 1, 2, "a\\x1b[1m", " ^^^^", id="escape sequence"),
        pytest.param("\u202ea", 1, 2, "\\u202ea", "      ^", id="bidirectional control"),
        pytest.param("if a:\n    b\n", 0, 11, "if a:", "^^^^^", id="several lines"),
    ],
)
def test_caret_position(line: str, start: int, end: int, shown: str, marks: str) -> None:
    _, _, _, source_line, mark_line = _full(_one(_source(line), start, end)).splitlines()
    assert source_line == f"1 | {shown}"
    assert mark_line == f"  | {marks}"


@pytest.mark.parametrize("start", [0, 39, 200, 599])
def test_long_lines_are_shortened_around_the_caret(start: int) -> None:
    source = _source("x" * start + "!" + "x" * (599 - start))
    _, _, _, source_line, mark_line = _full(_one(source, start, start + 1)).splitlines()
    assert source_line[mark_line.index("^")] == "!"
    assert len(source_line) <= LINE_CHARACTERS_MAX + len("1 | ......")
    assert source_line.endswith("...") == (start < 559 - LINE_CHARACTERS_MAX)


def test_diagnostic_of_a_whole_file_has_no_source_excerpt() -> None:
    one = _one(_source(""), 0, 0, advice="save it\nas UTF-8")
    assert _full(one) == _expected(
        """
        error[OUTSIDE_LANGUAGE]: the message
         --> a.pyi
          = help: save it
                  as UTF-8
        """
    )
    assert text.concise(Report((one,))) == (
        "a.pyi: error[OUTSIDE_LANGUAGE] the message; save it as UTF-8\n"
    )


def test_concise_format() -> None:
    one = _one(HEAT, STATIK, STATIK + 6, label="roles", advice="did you mean `static`?")
    assert text.concise(Report((one,))) == (
        "schemas/heat.pyi:12:9: error[OUTSIDE_LANGUAGE] the message; did you mean `static`?\n"
    )


def test_json_format() -> None:
    related = (Related(HEAT.at(0, 4), "here"),)
    one = _one(HEAT, STATIK, STATIK + 6, label="a", advice="b")
    assert standard_json.loads(json.document(Report((replace(one, related=related),)))) == {
        "diagnostics": [
            {
                "code": "OUTSIDE_LANGUAGE",
                "severity": "error",
                "path": "schemas/heat.pyi",
                "line": 12,
                "column": 9,
                "end_line": 12,
                "end_column": 15,
                "message": "the message",
                "label": "a",
                "help": "b",
                "related": [
                    {
                        "path": "schemas/heat.pyi",
                        "line": 1,
                        "column": 1,
                        "end_line": 1,
                        "end_column": 5,
                        "label": "here",
                    }
                ],
            }
        ]
    }


def test_colours_do_not_change_the_text() -> None:
    report = Report((_one(HEAT, STATIK, STATIK + 6, label="a", advice="b"),))
    for render in (text.full, text.concise):
        coloured = render(report, colour=True)
        assert coloured != render(report)
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(report)


@pytest.mark.parametrize(
    ("is_terminal", "environment", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colours_depend_on_terminal_and_environment(
    *, is_terminal: bool, environment: dict[str, str], expected: bool
) -> None:
    assert text.is_coloured(environment, is_terminal=is_terminal) is expected


@given(st.text(), st.text(), st.integers(0, 50), st.integers(0, 50))
def test_control_characters_are_escaped(content: str, words: str, start: int, length: int) -> None:
    start = min(start, len(content))
    source = Source(f"schemas/{words}.pyi", "a", content)
    span = source.at(start, min(start + length, len(content)))
    related = (Related(source.at(0, 0), words),)
    one = Diagnostic(Code.SYNTAX, span, words, words, words, related)
    printed = text.full(Report((one,))) + text.concise(Report((one,)))
    assert all(character.isprintable() or character == "\n" for character in printed)
    assert json.document(Report((one,))).isascii()


def test_report_is_sorted_without_duplicates() -> None:
    later, sooner = _one(_source("abc"), 2, 3), _one(_source("abc"), 0, 1)
    elsewhere = _one(_source("abc", "A.pyi"), 2, 3)
    report = Report((later, sooner)).merge(Report((sooner, elsewhere)))
    assert report == Report((elsewhere, sooner, later))
    assert list(report) == [elsewhere, sooner, later]
    assert (len(report), bool(report), bool(Report())) == (3, True, False)


def test_warnings_do_not_count_as_errors() -> None:
    span = _source("a").at(0, 0)
    warning = Diagnostic(Code.OUTSIDE_LANGUAGE, span, "the message", severity=Severity.WARNING)
    assert not Report((warning,)).has_errors
    assert Report((warning, _one(_source("a"), 0, 0))).has_errors
    assert text.concise(Report((warning,))) == "a.pyi:1:1: warning[OUTSIDE_LANGUAGE] the message\n"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Loyer0007", "Layer0007"),
        ("Layer007", "Layer0007"),
        ("Lyaer0007", "Layer0007"),
        ("Layer0007s", "Layer0007"),
        ("layer0007", "Layer0007"),
        ("Loyor0007", None),
    ],
)
def test_suggest_among_many(name: str, nearest: str | None) -> None:
    layers = [f"Layer{number:04}" for number in range(300)]
    assert suggest(name, layers) == nearest
    assert suggest(name, layers[::-1]) == nearest


def test_codes_are_sorted_words_with_a_summary() -> None:
    words = [code.value for code in Code]
    assert words == sorted(words)
    for code in Code:
        assert code.name == code.value
        assert re.fullmatch(r"[A-Z][A-Z0-9_]*", code)
        assert code.summary
        assert not code.summary.endswith(".")
        assert "\n" not in code.summary


@over(Code)
def test_each_code_has_a_page(code: Code) -> None:
    words = page(code)
    headings = [line for line in words.splitlines() if line.startswith("#")]
    assert headings[0] == f"# {code.value}"
    assert [line for line in headings if line.startswith("## ")] == [
        "## Why",
        "## Example",
        "## Write instead",
    ]
    assert all(character.isprintable() or character == "\n" for character in words)


def test_removed_codes_are_not_used_again() -> None:
    assert not REMOVED.keys() & Code.__members__.keys()
