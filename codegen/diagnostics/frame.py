"""The frame of source text that shows where a diagnostic is.

      --> schemas/heat.pyi:12:9
       |
    12 |     nx: statik[int]  # cells along x
       |         ^^^^^^ the roles are `static`, `dynamic` and `donated`

Related places in the same file share the frame, underlined with `-`. Those in other files follow
after `:::`. If a span has several lines, only the first is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from codegen.diagnostics.model import Diagnostic
from codegen.diagnostics.printable import columns, escape
from codegen.source import Source, Span

LINE_CHARACTERS_MAX: Final = 160
_CHARACTERS_BEFORE_MARK = 40
_CUT = "..."
_RESET = "\x1b[0m"


class Paint(Struct, frozen=True):
    """The colours and the encoding of shown text; without styles there are no colours."""

    styles: Mapping[str, str] = {}
    encoding: str = "utf-8"

    def __call__(self, style: str, text: str) -> str:
        """Return a text in the colour of a style."""
        return f"{self.styles[style]}{text}{_RESET}" if self.styles else text


class _Mark(Struct, frozen=True):
    span: Span
    label: str
    is_primary: bool

    @property
    def source(self) -> Source:
        return self.span.source

    @property
    def line(self) -> int:
        return self.span.region[0]


def place(span: Span) -> str:
    """Return a place as "schemas/heat.pyi:12:9"; only the path for a whole file."""
    path = escape(span.source.path)
    line, column, *_ = span.region
    return f"{path}:{line}:{column}" if span.source.text else path


def gutter_width(diagnostic: Diagnostic) -> int:
    """Return the number of columns that the line numbers of a frame take."""
    return max(len(str(mark.line)) for mark in _marks(diagnostic))


def frame(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    """Yield the lines of the frame, starting with `-->`."""
    gutter = " " * gutter_width(diagnostic)
    groups: dict[tuple[str, str], list[_Mark]] = {}
    for mark in _marks(diagnostic):
        groups.setdefault((mark.source.path, mark.source.text), []).append(mark)
    for marks in groups.values():
        first = marks[0]
        arrow = "-->" if first.is_primary else ":::"
        yield f"{gutter}{paint('gutter', arrow)} {place(first.span)}"
        if first.source.text:
            yield paint("gutter", f"{gutter} |")
            yield from _lines(marks, len(gutter), paint)
        else:
            yield from (f"{gutter} = {escape(mark.label)}" for mark in marks if mark.label)


def _marks(diagnostic: Diagnostic) -> Iterator[_Mark]:
    yield _Mark(diagnostic.span, diagnostic.label, True)
    for related in diagnostic.related:
        yield _Mark(related.span, related.label, False)


def _lines(marks: Iterable[_Mark], gutter: int, paint: Paint) -> Iterator[str]:
    """Yield the marked lines of one source in order, each followed by its marks."""
    shown: Span | None = None
    last = 0
    for mark in sorted(marks, key=lambda mark: (mark.line, not mark.is_primary, mark.span.start)):
        excerpt = _excerpt(mark)
        if (mark.line, excerpt) != (last, shown):
            if last and mark.line > last + 1:
                yield paint("gutter", _CUT)
            yield _source_line(mark, excerpt, gutter, paint)
        last, shown = mark.line, excerpt
        yield _mark_line(mark, excerpt, gutter, paint)


def _excerpt(mark: _Mark) -> Span:
    """Return the part of a mark's line to show: the whole line, unless it is very long."""
    line = mark.source.line_span(mark.line)
    if line.end - line.start <= LINE_CHARACTERS_MAX:
        return line
    latest = line.end - LINE_CHARACTERS_MAX
    start = min(max(line.start, mark.span.start - _CHARACTERS_BEFORE_MARK), latest)
    return mark.source.at(start, start + LINE_CHARACTERS_MAX)


def _source_line(mark: _Mark, excerpt: Span, gutter: int, paint: Paint) -> str:
    line = mark.source.line_span(mark.line)
    text, _ = columns(excerpt.text, paint.encoding)
    before, after = _CUT * (excerpt.start > line.start), _CUT * (excerpt.end < line.end)
    number = paint("gutter", f"{mark.line:>{gutter}} |")
    return f"{number} {before}{text}{after}".rstrip()


def _mark_line(mark: _Mark, excerpt: Span, gutter: int, paint: Paint) -> str:
    text = excerpt.text
    _, places = columns(text, paint.encoding)
    start = min(mark.span.start, excerpt.end) - excerpt.start
    end = max(min(mark.span.end - excerpt.start, len(text.rstrip())), start)
    cut = len(_CUT) * (excerpt.start > mark.source.line_span(mark.line).start)
    run = ("^" if mark.is_primary else "-") * max(places[end] - places[start], 1)
    marked = paint("primary" if mark.is_primary else "related", f"{run} {escape(mark.label)}")
    bar = paint("gutter", " " * gutter + " |")
    return f"{bar} {' ' * (cut + places[start])}{marked.rstrip()}"
