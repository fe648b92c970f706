"""Rules for code that can give a wrong number or compile too often: one rule in each file."""

from __future__ import annotations

from codegen.adopted.finding.names import PackageNames
from codegen.adopted.finding.nodes import Found
from codegen.adopted.unsound import calls, constructors, statics, treedefs
from codegen.adopted.unsound.finding import Unsound

RULES = (statics.check, treedefs.check, constructors.check, calls.check)


def unsound(found: Found, names: PackageNames) -> tuple[Unsound, ...]:
    """Return all findings, sorted by position."""
    every = (one for rule in RULES for one in rule(found, names))
    return tuple(sorted(every, key=lambda one: (one.path, one.line, one.rule, one.field)))
