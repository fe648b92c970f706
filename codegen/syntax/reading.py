"""The state of one reading: places, and the mistakes found so far.

reading = Reading(source, scan(source.text))
reading.span(node)                         # Span of a node of `ast`
reading.refuse(Code.OUTSIDE_LANGUAGE, span, ...)     # noted, and the reading goes on
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.source import Source, Span
from codegen.syntax.comments import Comments
from codegen.syntax.limits import NODES_MAX, too_many_nodes
from codegen.syntax.scan import Scan


class Reading:
    """What the conversion of one tree needs to know, and what it finds wrong."""

    __slots__ = ("_is_ascii", "_starts", "code", "comments", "found", "nodes", "source")

    def __init__(self, source: Source, scanned: Scan) -> None:
        self.source = source
        self.code = scanned.code  # the text without comments and strings
        self.comments = Comments(source, scanned.comments)
        self.found: list[Diagnostic] = []
        self.nodes = 0
        self._starts = source.line_starts
        self._is_ascii = source.text.isascii()

    def span(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias) -> Span:
        """The place of a node."""
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset or 0
        if self._is_ascii:
            # Bytes are characters here. It is the usual case, and asked for every node.
            starts = self._starts
            return Span(
                starts[node.lineno - 1] + node.col_offset,
                starts[end_line - 1] + end_column,
            )
        source = self.source
        return Span(
            source.offset(node.lineno, node.col_offset), source.offset(end_line, end_column)
        )

    def refuse(
        self,
        code: Code,
        span: Span,
        message: str,
        *,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note a mistake."""
        self.found.append(Diagnostic(code, self.source, span, message, label, advice, related))

    def is_full(self, span: Span) -> bool:
        """Count one more node, and whether there are too many, which is said once."""
        self.nodes += 1
        if self.nodes == NODES_MAX + 1:
            self.found.append(too_many_nodes(self.source, span))
        return self.nodes > NODES_MAX
