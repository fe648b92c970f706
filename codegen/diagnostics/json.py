"""Format a report for programs: one JSON document, described by `output.schema.json` here.

    {"diagnostics": [{"code": "UNKNOWN_ROLE", "severity": "error", "path": "schemas/heat.pyi",
                      "line": 12, "column": 9, "end_line": 12, "end_column": 15, ...}]}

Lines and columns count from 1, and columns count characters. The end is the first character after
the place.
"""

from __future__ import annotations

from json import dumps

from codegen.diagnostics.model import Diagnostic, Report
from codegen.source import Span


def document(report: Report, text: str = "", error: str = "") -> str:
    """Return the whole document, in ASCII.

    `text` is the other requested output, and `error` the reason why the command could not run.
    """
    parts: dict[str, object] = {"diagnostics": [_object(one) for one in report]}
    if text:
        parts["text"] = text
    if error:
        parts["error"] = error
    return dumps(parts, indent=2) + "\n"


def _object(diagnostic: Diagnostic) -> dict[str, object]:
    data = {
        "code": diagnostic.code.value,
        "severity": diagnostic.severity.value,
        "path": diagnostic.source.path,
        **_place(diagnostic.span),
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
        "related": [
            {
                "path": related.span.source.path,
                **_place(related.span),
                "label": related.label,
            }
            for related in diagnostic.related
        ],
    }
    if diagnostic.fix is not None:
        edits = [{**_place(edit.span), "text": edit.text} for edit in diagnostic.fix.edits]
        data["fix"] = {"message": diagnostic.fix.message, "edits": edits}
    if diagnostic.breaks:
        data["breaks"] = list(diagnostic.breaks)
    return data


def _place(span: Span) -> dict[str, object]:
    names = ("line", "column", "end_line", "end_column")
    return dict(zip(names, span.region, strict=True))
