"""Why a command could not run at all: exit status 2.

raise Failure("no schema (*.pyi) below `schemas`")
# error: no schema (*.pyi) below `schemas`
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # diagnostics are loaded when there are some
    from codegen.diagnostics import Report


class Failure(Exception):
    """What is missing or wrong around the schemas, said to the user as it stands here."""


class BadSettings(Exception):
    """Settings that are none: diagnostics with a place in pyproject.toml."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report
