"""What a rule gets: a checked program, and what was written.

linting.warn(Code.UNUSED_DIMENSION, source, span, "...", advice="...")    ->    Diagnostic(...)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from codegen.checked.facts import Facts
from codegen.checked.nodes import Checked
from codegen.diagnostics import Code, Diagnostic, Fix, Related, Severity
from codegen.linted.reach import Reach, find_reach
from codegen.linted.uses import uses
from codegen.program.names import absolute_module
from codegen.program.nodes import Program
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub
from codegen.source import Source, Span

Python: TypeAlias = Callable[[str], str | None]
"""Gives the source of a Python module of the project, by its name; None of one that it lacks."""


class Written(Struct, frozen=True):
    """One module as it was written: its tree, and its declarations."""

    stub: Stub
    decl: ModuleDecl

    @property
    def source(self) -> Source:
        """The module's text."""
        return self.stub.source


class Linting(Struct, frozen=True, dict=True):
    """One run of the rules over one program."""

    checked: Checked
    modules: dict[str, Written]
    python: Python

    @property
    def program(self) -> Program:
        """The program."""
        return self.checked.program

    @property
    def facts(self) -> Facts:
        """What follows from the program as a whole."""
        return self.checked.facts

    @cached_property
    def reach(self) -> Reach:
        """Which fields functions reach, and which of them they consume."""
        return find_reach(self.program)

    @cached_property
    def uses(self) -> dict[str, Counter[str]]:
        """How often each module uses each name."""
        return {name: uses(module.stub) for name, module in self.modules.items()}

    @cached_property
    def imported(self) -> Counter[tuple[str, str]]:
        """How often a declaration, ("heat", "nx"), is imported by other modules and used there."""
        found: Counter[tuple[str, str]] = Counter()
        for name, module in self.modules.items():
            for imported in module.decl.imports:
                home = absolute_module(name, imported.level, imported.module)
                if imported.level and home is not None:
                    used = self.uses[name]
                    found[home, imported.attribute] += used[imported.name]
                    found[home, f"*{imported.attribute}"] += used[f"*{imported.name}"]
        return found

    def use_count(self, module: str, name: str) -> int:
        """How often a declaration is used, anywhere; "*n" as what `*n` is."""
        return self.uses[module][name] + self.imported[module, name]

    def warn(
        self,
        code: Code,
        source: Source,
        span: Span,
        message: str,
        *,
        label: str = "",
        advice: str = "",
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
    ) -> Diagnostic:
        """Make what a rule finds."""
        return Diagnostic(
            code, source, span, message, label, advice, related, Severity.WARNING, fix
        )

    def word(self, module: str, kind: str, name: str) -> str | None:
        """What a module calls a word of the language. Example: "donated"; None: not imported."""
        for local, word in self.modules[module].decl.words:
            if (word.kind, word.name) == (kind, name):
                return local
        return None
