"""The exceptions that end a command before it has done its work.

raise Failure("no schema (*.pyi) in `schemas`")    # error: no schema ...; exit status 2
raise Mistakes(report)                                # the diagnostics; exit status 1
"""

from __future__ import annotations

from codegen.diagnostics import Report


class Failure(Exception):
    """Something around the schemas is missing or wrong. The text is shown to the user unchanged."""


class Mistakes(Exception):
    """Mistakes in schemas or in the output, which the user must fix first."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


class BadSettings(Mistakes):
    """Invalid settings: diagnostics with a place in pyproject.toml; exit status 2."""
