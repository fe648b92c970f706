"""Why a command ends without having done what it was asked for.

raise Failure("no schema (*.pyi) below `schemas`")    # error: no schema ...; exit status 2
raise Mistakes(report)                                # the diagnostics; exit status 1
"""

from __future__ import annotations

from codegen.diagnostics import Report


class Failure(Exception):
    """What is missing or wrong around the schemas, said to the user as it stands here."""


class Mistakes(Exception):
    """What has to be mended first, in schemas or in the output."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


class BadSettings(Mistakes):
    """Settings that are none: diagnostics with a place in pyproject.toml; exit status 2."""
