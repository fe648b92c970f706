"""What comments and docstrings say: documentation, and lints to ignore.

nx: static[int]  # cells along x  # noqa: E501      documentation "cells along x"
nx: static[int]  # codegen: ignore[UNUSED_DIM]      an Ignore, and no documentation
nx: static[int]  # codegen: was[columns]            a Rename; several: was[columns, n]
class Plate:     # codegen: was[heat.plates:Slab]   one of a class that stood in another module
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from codegen.source import Source, Span
from codegen.syntax.nodes import Ignore, Rename

_TOOLS = "type|codegen|pyright|mypy|pylint|fmt|ruff|isort|ty|pyre|pragma"
# It ends where another comment begins, which a bare `#12` does not.
_PRAGMA = re.compile(rf"(?<!#)#+\s*(?:(?i:noqa|nosec)\b|(?:{_TOOLS}):)(?:(?!\s#+[\s:]).)*")
_IGNORE = re.compile(r"#\s*codegen:\s*ignore(?:\[(?P<codes>[^\]#]*)\])?")
_WAS = re.compile(r"#\s*codegen:\s*was\b(?:\[(?P<names>[^\]#]*)\])?")
_TAB_COLUMNS = 8


class Comments:
    """The comments of one source, in order."""

    __slots__ = ("_source", "_spans", "_starts")

    def __init__(self, source: Source, spans: Sequence[Span]) -> None:
        self._source = source
        self._spans = spans
        self._starts = [span.start for span in spans]

    def documentation(self, statement: Span) -> tuple[str, Span | None]:
        """The last comment within a statement or behind it on its line that is documentation."""
        text = self._source.text
        line_end = text.find("\n", statement.end)
        last = bisect_left(self._starts, line_end if line_end >= 0 else len(text))
        for span in reversed(self._spans[bisect_left(self._starts, statement.start) : last]):
            # Behind a `;` another statement may stand, which has the comment for itself.
            between = text[statement.end : span.start]
            words = _words(text[span.start : span.end])
            if words and not between.strip(" \t;"):
                return words, span
        return "", None

    def ignores(self) -> tuple[Ignore, ...]:
        """Every comment that silences a lint."""
        found: list[Ignore] = []
        for span in self._spans:
            match = _IGNORE.search(self._source.text, span.start, span.end)
            if match is not None:
                line, _ = self._source.position(span.start)
                codes = tuple(re.findall(r"[^\s,]+", match["codes"] or ""))
                found.append(Ignore(line, codes, Span(*match.span())))
        return tuple(found)

    def renames(self) -> tuple[Rename, ...]:
        """Every comment that says what something was called before."""
        found: list[Rename] = []
        for span in self._spans:
            match = _WAS.search(self._source.text, span.start, span.end)
            if match is not None:
                line, _ = self._source.position(span.start)
                names = tuple(name.strip() for name in (match["names"] or "").split(","))
                found.append(Rename(line, names, Span(*match.span())))
        return tuple(found)


def _words(comment: str) -> str:
    """What a comment says to a reader, without what it says to tools."""
    for part in _PRAGMA.split(comment):
        if words := part.strip().lstrip("#").removeprefix(":").strip():
            return words
    return ""


def clean(docstring: str) -> str:
    """A docstring without its indentation and without blank lines around it (PEP 257).

    It answers as `inspect.cleandoc` does, and alike on every version of Python.
    """
    lines = docstring.expandtabs(_TAB_COLUMNS).split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines[1:] if line.strip(" ")]
    margin = min(indents, default=0)
    cleaned = [lines[0].lstrip(" "), *(line[margin:] for line in lines[1:])]
    while cleaned and not cleaned[-1]:
        cleaned.pop()
    while cleaned and not cleaned[0]:
        cleaned.pop(0)
    return "\n".join(cleaned)
