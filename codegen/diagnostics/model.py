"""Diagnostic values: each is one mistake, with its place, its reason and what to write instead.

Diagnostic(
    Code.OUTSIDE_LANGUAGE, Span(16, 17, source),
    message="`import *` is not allowed, because it hides which names are imported",
    help="import each name: `from .materials import Material`",
)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

from codegen.diagnostics.codes import Code
from codegen.diagnostics.printable import brief
from codegen.source import Source, Span


class Severity(StrEnum):
    """Whether a diagnostic stops the build."""

    ERROR = "error"
    WARNING = "warning"


class Related(Struct, frozen=True):
    """A second place that explains the first, such as an earlier declaration."""

    span: Span
    label: str

    def __post_init__(self) -> None:
        force_setattr(self, "label", brief(self.label))


class Edit(Struct, frozen=True, order=True):
    """A piece of a source's text, and the text that replaces it."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """Edits of the diagnostic's source that fix only this mistake."""

    message: str  # what they do. Example: "remove `f32`"
    edits: tuple[Edit, ...]


class Diagnostic(Struct, frozen=True):
    """One mistake in one place."""

    code: Code
    span: Span
    message: str  # what is wrong, with the name of the object
    label: str = ""  # the text next to the caret
    help: str = ""  # what to write instead
    related: tuple[Related, ...] = ()
    severity: Severity = Severity.ERROR
    fix: Fix | None = None
    breaks: tuple[str, ...] = ()  # what a change between versions breaks. Example: ("checkpoint",)

    def __post_init__(self) -> None:
        for name in ("message", "label", "help"):
            force_setattr(self, name, brief(getattr(self, name)))

    @property
    def source(self) -> Source:
        """The source that the diagnostic is about."""
        return self.span.source


class Report:
    """Diagnostics sorted by path, place and code, without duplicates."""

    __slots__ = ("diagnostics",)

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self.diagnostics: Final = tuple(sorted(dict.fromkeys(diagnostics), key=_order))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self.diagnostics == other.diagnostics

    def __hash__(self) -> int:
        return hash(self.diagnostics)

    def __bool__(self) -> bool:
        return bool(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    @property
    def has_errors(self) -> bool:
        """Whether any diagnostic stops the build."""
        return any(one.severity is Severity.ERROR for one in self.diagnostics)

    def merge(self, *others: Report) -> Report:
        """Return a report of all diagnostics of this report and the others."""
        return Report(one for report in (self, *others) for one in report)


def _order(diagnostic: Diagnostic) -> tuple[str, int, str, int, str]:
    span = diagnostic.span
    return (span.source.path, span.start, diagnostic.code, span.end, diagnostic.message)
