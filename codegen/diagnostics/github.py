r"""Format a report as workflow commands, which GitHub shows next to lines of a pull request.

    ::error file=schemas/heat.pyi,line=12,col=9,endColumn=15,title=UNKNOWN_ROLE::`statik` is not a role%0A...

Source: GitHub's "Workflow commands for GitHub Actions"; the escapes are those of the runner's
`ActionCommand`. Columns are left out if a place has several lines: GitHub does not accept them
there.
"""

from __future__ import annotations

from codegen.diagnostics.model import Diagnostic, Report
from codegen.diagnostics.printable import lines


def commands(report: Report) -> str:
    """Return one command for each diagnostic, each on one line."""
    return "".join(f"{_annotation(one)}\n" for one in report)


def problem(message: str) -> str:
    """Return a workflow command without a place, for the reason why codegen could not run."""
    return f"::error title=codegen::{_data(message)}\n"


def _annotation(diagnostic: Diagnostic) -> str:
    properties = {
        "file": diagnostic.source.path,
        **_place(diagnostic),
        "title": diagnostic.code.value,
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    breaks = f"breaks {', '.join(diagnostic.breaks)}" if diagnostic.breaks else ""
    parts = (diagnostic.message, diagnostic.label, breaks, diagnostic.help)
    words = "\n".join(filter(None, parts))
    return f"::{diagnostic.severity.value} {listed}::{_data(words)}"


def _place(diagnostic: Diagnostic) -> dict[str, str]:
    if not diagnostic.source.text:
        return {}  # it is about the whole file
    line, column, end_line, end_column = diagnostic.span.region
    if line != end_line:
        return {"line": str(line), "endLine": str(end_line)}
    return {"line": str(line), "col": str(column), "endColumn": str(end_column)}


def _data(text: str) -> str:
    """Escape the text after the second `::`: invisible characters, `%` and line ends."""
    shown = lines(text)
    return shown.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
