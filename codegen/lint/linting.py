"""The input of every lint: a checked program, and the syntax trees of its modules.

linting.warn(Code.UNUSED_DIMENSION, span, "...", advice="...")    ->    Diagnostic(...)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from codegen.check.check import Checked
from codegen.check.facts import Facts
from codegen.check.uses import TypeUse
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Related, Severity
from codegen.program.names import absolute_module
from codegen.program.nodes import Field, Program
from codegen.program.types import Anything, Ref, Type, class_refs, iter_held
from codegen.schema.nodes import ModuleDecl, Role
from codegen.schema.stub import Stub
from codegen.source import Source, Span


def uses(stub: Stub) -> Counter[str]:
    """Count the uses of each name in a module; declarations and imports do not count.

    "*n" counts the uses of `n` as `*n`.

    uses(<u: donated[f32[nx, nx]]>)    ->    Counter({"nx": 2, "donated": 1, "f32": 1})
    """
    return Counter(_names(stub.tree))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.Starred(value=ast.Name(id=name)):
                yield f"*{name}"
            case _:
                pass


# A field, identified by the class that declares it.
FieldPlace: TypeAlias = tuple[Ref, str]


class Reach(Struct, frozen=True):
    """The fields reachable from the arguments of all functions.

    def step(plate: donated[Plate]): ...    ->    Reach(reached={(Plate, "u"), (Plate, "t")},
                                                        consumed={(Plate, "u")})
    """

    reached: set[FieldPlace]
    consumed: set[FieldPlace]
    anything_is_donated: bool  # a donated `Any` may contain anything


def find_reach(program: Program) -> Reach:
    """Follow every argument of every function down to its arrays."""
    parameters = [p for function in program.functions for p in function.parameters]
    traced = [p.type for p in parameters if p.role != "static"]
    donated = [p.type for p in parameters if p.role == "donated"]
    reached = _fields_below(program, traced, "dynamic", "donated")
    consumed = _fields_below(program, donated, "donated")
    types = (*donated, *(f.type for f in consumed))
    return Reach(
        {(f.owner, f.name) for f in reached},
        {(f.owner, f.name) for f in consumed},
        any(isinstance(part, Anything) for type in types for part in iter_held(type)),
    )


def _fields_below(program: Program, types: list[Type], *roles: Role) -> list[Field]:
    """Return the fields with these roles that values of some types have, at any depth."""
    held = program.graph.held_classes((ref for type in types for ref in class_refs(type)), *roles)
    return [f for ref in held for f in program.classes[ref].fields if f.role in roles]


Python: TypeAlias = Callable[[str], str | None]
"""Gives the source of a Python module of the project, by its name; None of one that it lacks."""


class LintedModule(Struct, frozen=True):
    """The syntax tree and the declarations of one module."""

    stub: Stub
    decl: ModuleDecl

    @property
    def source(self) -> Source:
        """The source text of the module."""
        return self.stub.source


class Linting(Struct, frozen=True, dict=True):
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

    @cached_property
    def reach(self) -> Reach:
        """The fields that functions reach, and the subset that they consume."""
        return find_reach(self.program)

    @cached_property
    def uses(self) -> dict[str, Counter[str]]:
        """The number of uses of each name, by module."""
        return {name: uses(module.stub) for name, module in self.modules.items()}

    @cached_property
    def imported(self) -> Counter[tuple[str, str]]:
        """The number of uses of a declaration, ("heat", "nx"), in modules that import it."""
        counts: Counter[tuple[str, str]] = Counter()
        for name, module in self.modules.items():
            for imported in module.decl.imports:
                home = absolute_module(name, imported.level, imported.module)
                if imported.level and home is not None:
                    used = self.uses[name]
                    counts[home, imported.attribute] += used[imported.name]
                    counts[home, f"*{imported.attribute}"] += used[f"*{imported.name}"]
        return counts

    def use_count(self, module: str, name: str) -> int:
        """Return the number of uses of a declaration in all modules; "*n" counts uses as `*n`."""
        return self.uses[module][name] + self.imported[module, name]

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
        word = self.word(place.role_span.source.module, "role", role)
        return None if word is None else Fix(f"write `{word}`", (Edit(place.role_span, word),))

    def word(self, module: str, kind: str, name: str) -> str | None:
        """Return the local name of a language word. Example: "donated"; None: not imported."""
        for local, word in self.modules[module].decl.words:
            if (word.kind, word.name) == (kind, name):
                return local
        return None
