"""What a rule gets and gives: a program with its facts, and a place for complaints."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.checked.facts import Facts
from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Diagnostic, Related
from codegen.program.nodes import Class, Module, Program
from codegen.program.types import Ref
from codegen.source import Source, Span


@dataclass(slots=True)
class Inspection:
    """One run of the rules over one program."""

    program: Program
    facts: Facts
    problems: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(
        self,
        code: Code,
        source: Source,
        span: Span,
        message: str,
        label: str = "",
        help: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        """Report one mistake."""
        self.problems.append(Diagnostic(code, source, span, message, label, help, related))

    def module_of(self, ref: Ref) -> Module:
        """Return the module of a class."""
        return next(m for m in self.program.modules if m.name == ref.module)

    def declared(self, node: Class, label: str) -> Related:
        """Make the declaration of a class a second place."""
        return Related(node.source, node.span, label)
