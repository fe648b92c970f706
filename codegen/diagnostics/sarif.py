"""Format a report for code scanning: one SARIF 2.1.0 document.

    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "codegen", ...}},
                                   "results": [{"ruleId": "UNKNOWN_ROLE", ...}], ...}]}

Source: OASIS, Static Analysis Results Interchange Format 2.1.0. Columns count characters, from 1,
and a region ends before its `endColumn`, as spans do.
"""

from __future__ import annotations

from json import dumps
from urllib.parse import quote

from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Diagnostic, Report, Severity
from codegen.diagnostics.pages import page
from codegen.installation import __version__
from codegen.source import Source, Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def document(report: Report, text: str = "", error: str = "") -> str:
    """Return the whole document, in ASCII.

    `text` is the other requested output, and `error` the reason why the command could not run.
    """
    codes = sorted({one.code for one in report})
    rules = [_rule(code) for code in codes]
    driver = {"name": "codegen", "version": __version__, "rules": rules}
    run: dict[str, object] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(error)],
        "results": [_result(one, codes) for one in report],
    }
    if text:
        run["properties"] = {"text": text}
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: Code) -> dict[str, object]:
    summary = code.summary[0].upper() + code.summary[1:] + "."
    words = page(code)
    return {
        "id": code.value,
        "shortDescription": {"text": summary},
        "help": {"text": words, "markdown": words},
    }


def _invocation(error: str) -> dict[str, object]:
    invocation: dict[str, object] = {"executionSuccessful": not error}
    if error:
        notification = {"level": "error", "message": {"text": error}}
        invocation["toolExecutionNotifications"] = [notification]
    return invocation


def _result(diagnostic: Diagnostic, codes: list[Code]) -> dict[str, object]:
    words = "\n".join(filter(None, (diagnostic.message, diagnostic.label, diagnostic.help)))
    result: dict[str, object] = {
        "ruleId": diagnostic.code.value,
        "ruleIndex": codes.index(diagnostic.code),
        "level": "error" if diagnostic.severity is Severity.ERROR else "warning",
        "message": {"text": words},
        "locations": [{"physicalLocation": _place(diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"physicalLocation": _place(one.span), "message": {"text": one.label}}
            for one in diagnostic.related
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic)]
    if diagnostic.breaks:
        result["properties"] = {"breaks": list(diagnostic.breaks)}
    return result


def _fix(diagnostic: Diagnostic) -> dict[str, object]:
    assert diagnostic.fix is not None
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        for edit in diagnostic.fix.edits
    ]
    change = {"artifactLocation": _artifact(diagnostic.source), "replacements": replacements}
    return {"description": {"text": diagnostic.fix.message}, "artifactChanges": [change]}


def _place(span: Span) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": _artifact(span.source)}
    if span.source.text:  # else it is about the whole file
        place["region"] = _region(span)
    return place


def _artifact(source: Source) -> dict[str, object]:
    # Surrogates in a name stand for bytes that the system could not decode: restore the bytes.
    path = quote(source.path.encode(errors="surrogateescape"))
    return {"uri": f"file://{path}" if path.startswith("/") else path}


def _region(span: Span) -> dict[str, object]:
    names = ("startLine", "startColumn", "endLine", "endColumn")
    return dict(zip(names, span.region, strict=True))
