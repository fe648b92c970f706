"""The input and output of a rule: a program with its facts, and a list for its reports.

inspection.add(Code.BASE_CYCLE, node.span, "...", advice="...")
"""

from __future__ import annotations

from msgspec import Struct, field

from codegen.check.facts import Facts
from codegen.diagnostics import Code, Diagnostic, Related
from codegen.program.nodes import Program
from codegen.source import Span


class Inspection(Struct, frozen=True):
    """One run of the rules over one program."""

    program: Program
    facts: Facts
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(
        self,
        code: Code,
        span: Span,
        message: str,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Add a mistake."""
        self.found.append(Diagnostic(code, span, message, label, advice, related))
