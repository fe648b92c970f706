r"""Source and Span: a text, and character offsets into it.

Offsets are all that the later stages carry; lines and columns are worked out when somebody reads
them, in a diagnostic.

    Source("heat.pyi", "heat", "a = 1\nb = 2\n").position(6)   # (2, 1)
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property

from msgspec import Struct


class Span(Struct, frozen=True, order=True, gc=False):
    """Characters `start` up to, not including, `end` of a source's text."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""Of what was written in no source, or is about the whole of one."""


class Source(Struct, frozen=True, dict=True):
    r"""One schema file: where it is, which module it becomes, and its text.

    Lines end at `\n` alone: reading has normalised `\r\n` and refused a `\r` of its own.
    """

    path: str  # as shown to the user, with forward slashes. Example: "schemas/heat.pyi"
    module: str  # dotted, below the schema root. Example: "plants.heat"
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of each line's first character; the first one is 0."""
        starts = [0]
        end = self.text.find("\n")
        while end >= 0:
            starts.append(end + 1)
            end = self.text.find("\n", end + 1)
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def name_at(self, span: Span) -> str:
        """What is named where something begins, as it is written: "Grid" of `Grid(nx=4)`."""
        return re.split(r"[^\w.]", self.text[span.start : span.end], maxsplit=1)[0]

    def line_span(self, line: int) -> Span:
        """The characters of a line, counted from 1, without its line end."""
        start = self.line_starts[line - 1]
        if line < len(self.line_starts):
            return Span(start, self.line_starts[line] - 1)
        return Span(start, len(self.text))

    def line(self, line: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        span = self.line_span(line)
        return self.text[span.start : span.end]

    def offset(self, line: int, utf8_column: int) -> int:
        """The character at a line, from 1, and a column in UTF-8 bytes, from 0, as `ast` has it."""
        start = self.line_starts[line - 1]
        if self._is_ascii:
            return start + utf8_column
        if line not in self._columns:
            self._columns[line] = _columns_by_byte(self.line(line))
        columns = self._columns[line]
        if utf8_column < len(columns):
            return start + columns[utf8_column]
        return self.line_span(line).end

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def _columns(self) -> dict[int, array[int]]:
        # Kept per line, because looking up each node of one very long line anew would take a time
        # that grows with the square of its length.
        return {}


def _columns_by_byte(line: str) -> array[int]:
    """The column in characters of each UTF-8 byte of a line."""
    columns = array("I")
    for column, character in enumerate(line):
        columns.extend([column] * len(character.encode("utf-8", "surrogatepass")))
    return columns
