"""Format a report for people: in full with frames, or one line per diagnostic.

    error[UNKNOWN_ROLE]: `statik` is not a role
      --> schemas/heat.pyi:12:9
       |
    12 |     nx: statik[int]  # cells along x
       |         ^^^^^^ the roles are `static`, `dynamic` and `donated`
       |
       = help: did you mean `static`?

The text never contains a raw control character from a schema; only colours use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from codegen.diagnostics.frame import Paint, frame, gutter_width, place
from codegen.diagnostics.model import Diagnostic, Report
from codegen.diagnostics.printable import escape

_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "primary": "\x1b[1;31m",
    "related": "\x1b[1;34m",
    "gutter": "\x1b[1;34m",
    "message": "\x1b[1m",
}


def is_coloured(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether to use colours: only on a terminal, and not with `NO_COLOR` (no-color.org)."""
    return is_terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def full(report: Report, *, colour: bool = False, encoding: str = "utf-8") -> str:
    """Return each diagnostic with its frame, separated by blank lines; frames fit this encoding."""
    paint = Paint(_STYLES if colour else {}, encoding)
    return "\n".join("".join(f"{line}\n" for line in _full(one, paint)) for one in report)


def concise(report: Report, *, colour: bool = False) -> str:
    """Return each diagnostic on one line, for editors and `grep`."""
    paint = Paint(_STYLES if colour else {})
    return "".join(f"{_concise(one, paint)}\n" for one in report)


def _full(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    severity = diagnostic.severity.value
    title = paint(severity, f"{severity}[{diagnostic.code.value}]")
    yield f"{title}{paint('message', ': ' + escape(diagnostic.message))}"
    yield from frame(diagnostic, paint)
    notes = [("breaks", ", ".join(diagnostic.breaks)), ("help", diagnostic.help)]
    if diagnostic.source.text and any(words for _, words in notes):
        yield paint("gutter", f"{' ' * gutter_width(diagnostic)} |")
    for name, words in notes:
        if words:
            yield from _note(name, words, gutter_width(diagnostic), paint)


def _note(name: str, words: str, width: int, paint: Paint) -> Iterator[str]:
    gutter = " " * width
    first, *rest = words.split("\n")
    yield f"{gutter} {paint('gutter', '=')} {paint('message', name)}: {escape(first)}"
    for line in rest:
        yield f"{gutter}   {' ' * len(name)}  {escape(line)}".rstrip()


def _concise(diagnostic: Diagnostic, paint: Paint) -> str:
    severity = diagnostic.severity.value
    title = paint(severity, f"{severity}[{diagnostic.code.value}]")
    where = place(diagnostic.span)
    breaks = f"breaks {', '.join(diagnostic.breaks)}" if diagnostic.breaks else ""
    parts = [part for part in (diagnostic.message, breaks, diagnostic.help) if part]
    words = "; ".join(" ".join(part.split("\n")) for part in parts)
    return f"{where}: {title} {escape(words)}"
