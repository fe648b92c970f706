"""A report for programs: one JSON document.

    {"diagnostics": [{"code": "UNKNOWN_ROLE", "severity": "error", "path": "schemas/heat.pyi",
                      "line": 12, "column": 9, "end_line": 12, "end_column": 15, ...}]}

Lines and columns count from 1, columns in characters; the end is the first character behind.
"""

from __future__ import annotations

from codegen.diagnostics.model import Diagnostic, Report
from codegen.source import Source, Span


def document(report: Report) -> str:
    """The whole document, in ASCII."""
    # A build that finds nothing to say has no use for it.
    from json import dumps  # noqa: PLC0415

    return dumps({"diagnostics": [_object(one) for one in report]}, indent=2) + "\n"


def _object(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code.value,
        "severity": diagnostic.severity.value,
        **_place(diagnostic.source, diagnostic.span),
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
        "related": [
            {**_place(related.source, related.span), "label": related.label}
            for related in diagnostic.related
        ],
    }


def _place(source: Source, span: Span) -> dict[str, object]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {
        "path": source.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }
