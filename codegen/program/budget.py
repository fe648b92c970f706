"""How large a type may be once its aliases are written out.

A0 = int; A1 = tuple[A0, A0]; A2 = tuple[A1, A1]; ...    A20 would have a million parts

Brackets are counted where they are read; aliases make deep and wide types of flat ones, and classes
long chains of short ones. Beyond these limits Python answers with a RecursionError, or not for hours.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codegen.program.types import Ref

DEPTH_MAX: Final = 100
PARTS_MAX: Final = 4000
BASES_MAX: Final = 100


class Budget(Struct):
    """What is left while one type is resolved, with all the aliases in it."""

    depth: int = 0
    parts: int = 0
    fault: str = ""  # what there is too much of
    within: tuple[Ref, ...] = ()  # the aliases that were being written out then
    reports: bool = True

    def take(self, expanding: tuple[Ref, ...]) -> bool:
        """Take one part of the type, at the current depth; False where nothing is left."""
        if self.depth == 0:
            self.parts, self.fault = 0, ""
        if self.fault:
            return False
        self.parts += 1
        if self.depth > DEPTH_MAX:
            self.fault = f"is nested more than {DEPTH_MAX} deep"
        elif self.parts > PARTS_MAX:
            self.fault = f"has more than {PARTS_MAX:,} parts"
        self.within = expanding
        return not self.fault
