"""Judge a program by all rules; the only maker of `Checked`.

check(program)    ->    (Checked(...), Report()) or (None, Report(STATIC_HOLDS_DYNAMIC ...))
"""

from __future__ import annotations

from codegen.check.facts import find_facts
from codegen.check.nodes import Checked
from codegen.check.rule import Inspection
from codegen.check.rules import RULES
from codegen.diagnostics.model import Report
from codegen.program.nodes import Program


def check(program: Program) -> tuple[Checked | None, Report]:
    """Return the checked program, or None with every mistake that the rules found."""
    inspection = Inspection(program, find_facts(program))
    for rule in RULES:
        rule(inspection)
    report = Report(inspection.found)
    return (None if report else Checked(program, inspection.facts)), report
