"""Edits of a text, and the usual ones: a statement, an imported name, a word.

apply("a, b, c", (Edit(Span(1, 4), ""),))    ->    "a, c"
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codegen.diagnostics import Edit, Fix
from codegen.schema.stub import Import
from codegen.source import Source, Span


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with these edits, which do not overlap, made from the bottom up."""
    for edit in sorted(set(edits), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def select(fixes: Iterable[Fix]) -> set[Fix]:
    """As many fixes as can be made at once, the first ones first."""
    taken: set[Fix] = set()
    edits: set[Edit] = set()
    for fix in fixes:
        if not any(_clash(own, other) for own in fix.edits for other in edits):
            taken.add(fix)
            edits.update(fix.edits)
    return taken


def _clash(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same characters; two that are one edit do not."""
    return one != other and one.span.start < other.span.end and other.span.start < one.span.end


def without_statement(
    source: Source, statement: ast.stmt, below: Span | None = None
) -> Edit | None:
    """Take away the lines of a statement, and of its docstring `below`; None where others share them."""
    span = source.span(statement)
    start = source.line_span(source.position(span.start)[0]).start
    end = max(span.end, below.end if below else 0)
    line = source.line_span(source.position(end)[0])
    behind = source.text[end : line.end].strip()
    if source.text[start : span.start].strip() or (behind and behind[0] != "#"):
        return None
    stop = min(line.end + 1, len(source.text))
    # Of two blank lines that would come to stand together, one goes too.
    is_blank_above = start == 0 or source.text[:start].endswith("\n\n")
    if is_blank_above and source.text[stop : stop + 1] == "\n":
        stop += 1
    return Edit(Span(start, stop), "")


def without_name(source: Source, statement: Import, index: int) -> Edit | None:
    """Take one name away from an import of several; None where a comment would go with it."""
    spans = [source.span(item) for item in statement.names]
    if index + 1 < len(spans):
        span = Span(spans[index].start, spans[index + 1].start)
    else:
        span = Span(spans[index - 1].end, spans[index].end)
    return None if "#" in source.text[span.start : span.end] else Edit(span, "")
