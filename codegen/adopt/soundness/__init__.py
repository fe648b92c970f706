"""Rules for code that can give a wrong number or compile too often: one rule in each file."""

from __future__ import annotations

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.soundness import calls, constructors, equality, statics, treedefs
from codegen.adopt.soundness.finding import UnsoundFinding

RULES = (statics.check, treedefs.check, constructors.check, calls.check, equality.check)


def find_unsound(found: FoundClasses, names: PackageNames) -> tuple[UnsoundFinding, ...]:
    """Return all findings, sorted by position."""
    every = (one for rule in RULES for one in rule(found, names))
    return tuple(sorted(every, key=lambda one: (one.path, one.line, one.rule, one.field)))
