r"""A source to Python's own tree, or the one diagnostic that says why there is none.

parse(Source("heat.pyi", "heat", "class Grid\n"))
Diagnostic(Code.SYNTAX, ..., "this is not Python: expected ':'")
"""

from __future__ import annotations

import ast
import re
import warnings

from codegen.diagnostics import Code, Diagnostic
from codegen.source import Source, Span
from codegen.syntax.keywords import keyword_as_name
from codegen.syntax.limits import DEPTH_MAX, nested_too_deeply, number_too_large

# What Python says where its own limits, which differ between versions, are met.
_TOO_DEEP = ("too many nested parentheses", "too many levels of indentation", "stack overflow")
_TOO_LONG = "integer string conversion"

_WORD = re.compile(r"[ \t]*(?P<word>\w+|\S)")


def parse(source: Source) -> ast.Module | Diagnostic:
    """Python's tree of a text, which is compiled and run nowhere."""
    try:
        with warnings.catch_warnings():
            # An escape such as "\d" warns; a schema's reader has nothing to do with it.
            warnings.simplefilter("ignore")
            return ast.parse(source.text, feature_version=(3, 11))
    except SyntaxError as error:
        return _explain(source, error)
    except (RecursionError, MemoryError):
        return Diagnostic(
            Code.NESTED_TOO_DEEPLY,
            Source(source.path, source.module, ""),
            Span(0, 0),
            f"something in this file is nested far more than {DEPTH_MAX} deep",
            help="name a part of it above: `Part = ...`",
        )


def _explain(source: Source, error: SyntaxError) -> Diagnostic:
    span = _span(source, error)
    words = error.msg
    if any(part in words for part in _TOO_DEEP):
        return nested_too_deeply(source, span)
    if _TOO_LONG in words:
        return number_too_large(source, span)
    line, _ = source.position(span.start)
    if keyword := keyword_as_name(source, source.line_span(line)):
        return keyword
    return Diagnostic(
        Code.SYNTAX,
        source,
        span,
        f"this is not Python: {words}",
        help="a schema is a Python stub; an editor that knows Python marks the place, too",
    )


def _span(source: Source, error: SyntaxError) -> Span:
    """The place of a syntax error, which Python gives in parts, beyond the end, or not at all."""
    start = _offset(source, error.lineno, error.offset)
    end = _offset(source, error.end_lineno, error.end_offset)
    line = source.line_span(source.position(start)[0])
    if isinstance(error, IndentationError):
        # Python points at the blanks, or behind the line: its first word says more.
        start, end = line.start, line.start
    if end <= start and (word := _WORD.match(source.text, start, line.end)):
        start, end = word.span("word")
    return Span(start, min(max(end, start), line.end))


def _offset(source: Source, line: int | None, column: int | None) -> int:
    """A character from a line and a column in characters, both from 1, brought into the text."""
    line = line or 1
    if line > len(source.line_starts):
        return len(source.text)
    span = source.line_span(max(line, 1))
    return min(span.start + max((column or 1) - 1, 0), span.end)
