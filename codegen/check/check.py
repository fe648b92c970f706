"""Check a program against all rules. Only `check` creates a `Checked`.

check(program)    ->    (Checked(...), Report()) or (None, Report(STATIC_HOLDS_DYNAMIC ...))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from codegen.check.facts import Facts, find_facts
from codegen.check.rule import Inspection
from codegen.check.rules.cycles import check_cycles
from codegen.check.rules.defaults import check_defaults
from codegen.check.rules.enums import check_enums, check_equal
from codegen.check.rules.inheritance import check_inheritance
from codegen.check.rules.names import check_names, check_type_parameters
from codegen.check.rules.options import check_options
from codegen.check.rules.overriding import check_overriding
from codegen.check.rules.renames import check_renames
from codegen.check.rules.roles import check_roles
from codegen.check.rules.shares import check_shares
from codegen.diagnostics.model import Report
from codegen.program.nodes import Program

RULES: Final[tuple[Callable[[Inspection], None], ...]] = (
    check_roles,
    check_defaults,
    check_equal,
    check_inheritance,
    check_overriding,
    check_cycles,
    check_names,
    check_options,
    check_shares,
    check_enums,
    check_type_parameters,
    check_renames,
)


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
