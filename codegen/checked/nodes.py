"""A program that has passed every rule.

    check(program)    ->    Checked(program, facts)

Later stages take `Checked` and nothing else, so whatever they hold has been judged; only `check.py` makes one.
"""

from __future__ import annotations

from msgspec import Struct

from codegen.checked.facts import Facts
from codegen.program.nodes import Program


class Checked(Struct, frozen=True):
    """A program without mistakes, and what was found out about it on the way."""

    program: Program
    facts: Facts
