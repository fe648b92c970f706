"""The input of every lint: a checked program, and the syntax trees of its modules.

linting.warn(Code.UNUSED_DIMENSION, span, "...", advice="...")    ->    Diagnostic(...)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from codegen.check.check import Checked
from codegen.check.facts import Facts
from codegen.check.uses import TypeUse
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Related, Severity
from codegen.program.nodes import Program
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub
from codegen.schema.vocabulary import Role
from codegen.source import Span

Python: TypeAlias = Callable[[str], str | None]
"""Gives the source of a Python module of the project, by its name; None of one that it lacks."""


class LintedModule(Struct, frozen=True):
    """The syntax tree and the declarations of one module."""

    stub: Stub
    decl: ModuleDecl


class Linting(Struct, frozen=True):
    """One run of the rules over one program."""

    checked: Checked
    modules: dict[str, LintedModule]
    python: Python

    @property
    def program(self) -> Program:
        """The program."""
        return self.checked.program

    @property
    def facts(self) -> Facts:
        """Facts derived from the whole program."""
        return self.checked.facts

    def warn(
        self,
        code: Code,
        span: Span,
        message: str,
        *,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
    ) -> Diagnostic:
        """Create a warning."""
        return Diagnostic(code, span, message, label, advice, related, Severity.WARNING, fix)

    def other_role(self, place: TypeUse, role: Role) -> Fix | None:
        """Return the fix that changes a role; None if the module does not import the new role."""
        for local, word in self.modules[place.role_span.source.module].decl.words:
            if (word.kind, word.name) == ("role", role):
                return Fix(f"write `{local}`", (Edit(place.role_span, local),))
        return None
