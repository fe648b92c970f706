r"""The comments and strings of a text: documentation, former names, and lints to ignore.

nx: static[int]  # cells along x  # noqa: E501      documentation "cells along x"
nx: static[int]  # codegen: ignore[UNUSED_DIM]      an Ignore, and no documentation
nx: static[int]  # codegen: was[columns]            a Rename; several: was[columns, n]
class Plate:     # codegen: was[heat.plates:Slab]   the Rename of a class from another module
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Container, Iterator

from msgspec import Struct

from codegen.node import Node
from codegen.source import Source, Span

_TOOLS = "type|codegen|pyright|mypy|pylint|fmt|ruff|isort|ty|pyre|pragma"
# A pragma ends where another comment begins. A bare `#12` begins none.
_PRAGMA = re.compile(rf"(?<!#)#+\s*(?:(?i:noqa|nosec)\b|(?:{_TOOLS}):)(?:(?!\s#+[\s:]).)*")
_IGNORE = re.compile(r"#\s*codegen:\s*ignore(?:\[(?P<inside>[^\]#]*)\])?")
_WAS = re.compile(r"#\s*codegen:\s*was\b(?:\[(?P<inside>[^\]#]*)\])?")
_TAB_COLUMNS = 8


# A string that is never closed ends at the end of its line, or of the text. So each alternative
# always matches once it has begun, and the time is linear in the length of the text.
_COMMENT_OR_STRING = re.compile(
    r"""
    \#[^\n]*
    | (?P<prefix>\b[A-Za-z]{1,2})?
      (?:
          \"\"\" (?: [^"\\] | \\.? | "(?!"") )*+ (?:\"\"\")?
        | '''    (?: [^'\\] | \\.? | '(?!'') )*+ (?:''')?
        | "      (?: [^"\\\n] | \\.? )*+ "?
        | '      (?: [^'\\\n] | \\.? )*+ '?
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_VISIBLE = re.compile(r"[^\n]")


class Scan(Struct, frozen=True):
    """The comments and f-strings of a text, and the text without comments and strings."""

    comments: tuple[Span, ...]  # from the `#` to the end of the line
    f_strings: tuple[Span, ...]
    code: str  # the text with blanks instead of comments and strings; offsets stay as they are


def scan(source: Source) -> Scan:
    r"""Find the comments and the strings of a source, in one pass.

    scan(Source("heat.pyi", "heat", 'nx = Dim(mesh="rows")  # cells\n'))
    # Scan(comments=(Span(23, 30, ...),), f_strings=(), code='nx = Dim(mesh=      )         \n')

    The result is the same on every version of Python, and for text that is not Python.
    """
    text = source.text
    comments: list[Span] = []
    f_strings: list[Span] = []
    pieces: list[str] = []
    end = 0
    for match in _COMMENT_OR_STRING.finditer(text):
        start = match.start()
        pieces.append(text[end:start])
        end = match.end()
        pieces.append(_VISIBLE.sub(" ", match[0]) if "\n" in match[0] else " " * (end - start))
        if text[start] == "#":
            comments.append(source.at(start, end))
        elif _is_interpolated(match["prefix"]):
            f_strings.append(source.at(start, end))
    pieces.append(text[end:])
    return Scan(tuple(comments), tuple(f_strings), "".join(pieces))


def _is_interpolated(prefix: str | None) -> bool:
    """Return whether a prefix marks an f-string, or a t-string of Python 3.14."""
    return prefix is not None and prefix.lower() in {"f", "rf", "fr", "t", "rt", "tr"}


class Doc(Struct, frozen=True):
    """A piece of documentation and its position."""

    text: str
    span: Span


class Ignore(Node, frozen=True):
    """`# codegen: ignore[CODE, OTHER]`, which silences lints on its line."""

    line: int  # from 1
    codes: tuple[str, ...]  # as in the source; empty where the brackets are missing
    span: Span


class Rename(Node, frozen=True):
    """`# codegen: was[OLD, OLDER]`: the former names of the declaration on its line."""

    line: int  # from 1
    names: tuple[str, ...]  # as in the source. Example: "columns", "heat.plates:Slab"
    span: Span


class Comments:
    """The comments of one source, in order."""

    __slots__ = ("_source", "_spans", "_starts", "renames")

    def __init__(self, source: Source, spans: tuple[Span, ...]) -> None:
        self._source = source
        self._spans = spans
        self._starts = [span.start for span in spans]
        # Every comment with former names.
        self.renames = [
            Rename(line, tuple(name.strip() for name in names.split(",")), span)
            for line, names, span in self._matches(_WAS)
        ]

    def documentation(self, statement: Span) -> Doc | None:
        """Return the last documentation comment in a statement, or after it on its line."""
        text = self._source.text
        line_end = text.find("\n", statement.end)
        last = bisect_left(self._starts, line_end if line_end >= 0 else len(text))
        for span in reversed(self._spans[bisect_left(self._starts, statement.start) : last]):
            # A comment after `a; b` belongs to `b`.
            between = text[statement.end : span.start]
            words = _documentation_text(span.text)
            if words and not between.strip(" \t;"):
                return Doc(words, span)
        return None

    def ignores(self) -> tuple[Ignore, ...]:
        """Return every comment that silences a lint."""
        return tuple(
            Ignore(line, tuple(re.findall(r"[^\s,]+", codes)), span)
            for line, codes, span in self._matches(_IGNORE)
        )

    def renames_after(self, statement: ast.stmt) -> list[Rename]:
        """Return the former names after a declaration; those of a class are after its head."""
        if not self.renames:
            return []
        lines: Container[int] = ()
        match statement:
            case ast.Assign() | ast.AnnAssign():
                lines = range(statement.lineno, (statement.end_lineno or 0) + 1)
            case ast.FunctionDef():
                # After its name and after its result. A comment between them is about a parameter.
                first = self._name_line(statement)
                lines = (first, (statement.returns and statement.returns.end_lineno) or first)
            case ast.ClassDef(body=[below, *_]):
                first = self._name_line(statement)
                lines = range(first, max(first + 1, below.lineno))
            case _:
                pass
        return [one for one in self.renames if one.line in lines and not self._is_alone(one)]

    def _is_alone(self, rename: Rename) -> bool:
        """Return whether a comment is the only text on its line."""
        start = self._source.line_span(rename.line).start
        return not self._source.text[start : rename.span.start].strip()

    def _name_line(self, node: ast.ClassDef | ast.FunctionDef) -> int:
        line, _ = self._source.position(self._source.name_span(node).start)
        return line

    def _matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, str, Span]]:
        """Yield for each comment that a pattern matches its line, the text in the brackets, and its
        position.
        """
        for span in self._spans:
            if match := pattern.search(self._source.text, span.start, span.end):
                line, _ = self._source.position(span.start)
                yield line, match["inside"] or "", self._source.at(*match.span())


def _documentation_text(comment: str) -> str:
    """Return the text of a comment for readers, without the parts for tools."""
    for part in _PRAGMA.split(comment):
        if words := part.strip().lstrip("#").removeprefix(":").strip():
            return words
    return ""


def clean_docstring(docstring: str) -> str:
    """Remove the indentation of a docstring and the blank lines around it (PEP 257).

    The result is that of `inspect.cleandoc`, and the same on every version of Python. A surrogate,
    which Python refuses in the docstring of a class, becomes its escape as text.
    """
    encodable = docstring.encode(errors="backslashreplace").decode()
    lines = encodable.expandtabs(_TAB_COLUMNS).split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines[1:] if line.strip(" ")]
    margin = min(indents, default=0)
    cleaned = [lines[0].lstrip(" "), *(line[margin:] for line in lines[1:])]
    while cleaned and not cleaned[-1]:
        cleaned.pop()
    while cleaned and not cleaned[0]:
        cleaned.pop(0)
    return "\n".join(cleaned)
