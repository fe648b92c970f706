"""What a rule gets and gives: a program with its facts, and a place for what it finds.

inspection.add(Code.BASE_CYCLE, node.source, node.span, "...", advice="...")
"""

from __future__ import annotations

from msgspec import Struct, field

from codegen.check.facts import Facts
from codegen.diagnostics import Code, Diagnostic, Related
from codegen.program.nodes import Program
from codegen.source import Source, Span


class Inspection(Struct, frozen=True):
    """One run of the rules over one program."""

    program: Program
    facts: Facts
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(
        self,
        code: Code,
        source: Source,
        span: Span,
        message: str,
        *,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Note a mistake."""
        self.found.append(Diagnostic(code, source, span, message, label, advice, related))
