r"""The text of a schema file, and places in it.

    source = Source("schemas/heat.pyi", "heat", "nx = Dim()\n")
    source.position(5)             # (1, 6): line and column, both from 1
    source.span(tree.body[0])      # Span(0, 10, source): the characters of a node of `ast`

A place is a pair of character offsets in a source. A diagnostic turns them into lines and columns.
"""

from __future__ import annotations

import ast
import re
import warnings
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import Final, TypeAlias

from msgspec import Struct

Located: TypeAlias = ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias
"""The nodes of `ast` that have a place."""
Named: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.arg | ast.keyword | ast.Attribute
"""The nodes of `ast` with a name that is no node of its own."""
_NAME: Final = re.compile(r"(?:(?:class|def)(?:[ \t]|\\\n)+)?(?P<name>[^\s\\#:=,()]+)")


def parse_python(text: str | bytes, version: int = -1) -> ast.Module:
    r"""Return the tree of a Python text. The text is only parsed, never compiled or run.

    Docstrings are in the tree also with `-OO`, where `ast.parse` of Python 3.14 omits them.
    With the version 11, syntax that is newer than Python 3.11 is an error.
    """
    with warnings.catch_warnings():
        # Python warns of "\d", for example. The warning is for the authors of the text.
        warnings.simplefilter("ignore")
        tree = compile(
            text,
            "<unknown>",
            "exec",
            ast.PyCF_ONLY_AST,
            dont_inherit=True,
            optimize=0,
            _feature_version=version,
        )
    assert isinstance(tree, ast.Module)
    return tree


class Source(Struct, frozen=True, dict=True):
    r"""One schema file: where it is, which module it becomes, and its text.

    Lines end only at `\n`: reading has normalised `\r\n` and refused any other `\r`.
    """

    path: str  # as shown to the user, with forward slashes. Example: "schemas/heat.pyi"
    module: str  # dotted, below the schema root. Example: "plants.heat"
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the first character of each line, starting with 0."""
        starts = [0]
        end = self.text.find("\n")
        while end >= 0:
            starts.append(end + 1)
            end = self.text.find("\n", end + 1)
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, both from 1; the column counts characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def at(self, start: int, end: int) -> Span:
        """Return the span from `start` up to, not including, `end`."""
        return Span(start, end, self)

    def span(self, node: Located) -> Span:
        """Return the span of a node."""
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset or 0
        if self._is_ascii:
            # Byte offsets are character offsets here. Most nodes take this path, so it is short.
            starts = self.line_starts
            return Span(
                starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end_column, self
            )
        return self.at(self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column))

    def name_span(self, node: Named) -> Span:
        """Return the span of the name in a node: `Grid` of a class, `mesh` of `mesh="rows"`."""
        span = self.span(node)
        if isinstance(node, ast.Attribute):
            # Nothing follows the name, and a comment may come before it.
            name = re.split(r"[\s.\\]", span.text)[-1]
            return self.at(span.end - len(name), span.end)
        match = _NAME.match(self.text, span.start, span.end)
        return self.at(*match.span("name")) if match else span

    def text_of(self, node: Located) -> str:
        """Return the text of a node, on one line."""
        return " ".join(self.span(node).text.split())

    def line_span(self, line: int) -> Span:
        """Return the span of a line, counted from 1, without its line end."""
        start = self.line_starts[line - 1]
        if line < len(self.line_starts):
            return self.at(start, self.line_starts[line] - 1)
        return self.at(start, len(self.text))

    def line(self, line: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        return self.line_span(line).text

    def offset(self, line: int, utf8_column: int) -> int:
        """Return the offset of a line, from 1, and a column in UTF-8 bytes, from 0, as in `ast`."""
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
        # Cached per line. Otherwise the time for all nodes of one very long line would be quadratic
        # in its length.
        return {}


class Span(Struct, frozen=True, order=True, gc=False):
    """The characters from `start` up to, not including, `end` of a source's text.

    The span of a whole file has a source without text.
    """

    start: int
    end: int
    source: Source

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.source.text[self.start : self.end]

    @property
    def name(self) -> str:
        """The name at the start of the text, as written: "Grid" of `Grid(nx=4)`."""
        return re.split(r"[^\w.]", self.text, maxsplit=1)[0]

    @property
    def region(self) -> tuple[int, int, int, int]:
        """Line and column of the start, then of the end."""
        return *self.source.position(self.start), *self.source.position(self.end)


def whole_file(path: str, module: str = "") -> Span:
    """Return the span of a whole file."""
    return Span(0, 0, Source(path, module, ""))


NOWHERE: Final = whole_file("")
"""The place of what was written in no source."""


def _columns_by_byte(line: str) -> array[int]:
    """Return the column in characters of each UTF-8 byte of a line."""
    columns = array("I")
    for column, character in enumerate(line):
        columns.extend([column] * len(character.encode("utf-8", "surrogatepass")))
    return columns
