"""A program that has passed every rule.

    check(program)    ->    Checked(program, facts)

What is written or said of a program alone starts from a `Checked`, so it has been judged; only `check.py` makes one.
What compares two programs, after both were judged, takes them as they are.
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.facts import Facts
from codegen.program.nodes import Program


class Checked(Struct, frozen=True):
    """A program without mistakes, and what was found out about it on the way."""

    program: Program
    facts: Facts
