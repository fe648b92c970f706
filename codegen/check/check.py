"""Check a program against all rules. Only `check` creates a `Checked`.

check(program)    ->    (Checked(...), Report()) or (None, Report(STATIC_HOLDS_DYNAMIC ...))
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.facts import Facts, find_facts
from codegen.check.rule import Inspection
from codegen.check.rules import RULES
from codegen.diagnostics.model import Report
from codegen.program.nodes import Program


class Checked(Struct, frozen=True):
    """A program without mistakes, and the facts that the checks found."""

    program: Program
    facts: Facts


def check(program: Program) -> tuple[Checked | None, Report]:
    """Return the checked program, or None with every mistake that the rules found."""
    inspection = Inspection(program, find_facts(program))
    for rule in RULES:
        rule(inspection)
    report = Report(inspection.found)
    return (None if report else Checked(program, inspection.facts)), report
