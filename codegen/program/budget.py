"""How large a type may be once its aliases are written out.

A0 = int; A1 = tuple[A0, A0]; A2 = tuple[A1, A1]; ...    A20 would have a million parts

Brackets are counted where they are read; aliases make deep and wide types of flat ones, and classes
long chains of short ones. Beyond these limits Python answers with a RecursionError, or not for hours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEPTH_MAX: Final = 100
PARTS_MAX: Final = 4000
BASES_MAX: Final = 100


@dataclass(slots=True)
class Budget:
    """What is left while one type is resolved, with all the aliases in it."""

    depth: int = 0
    parts: int = 0
    fault: str = ""  # what there is too much of

    def take(self) -> bool:
        """Take one part of the type, at the current depth; False where nothing is left."""
        if self.depth == 0:
            self.parts, self.fault = 0, ""
        self.parts += 1
        if self.depth > DEPTH_MAX:
            self.fault = self.fault or f"is nested more than {DEPTH_MAX} deep"
        elif self.parts > PARTS_MAX:
            self.fault = self.fault or f"has more than {PARTS_MAX:,} parts"
        return not self.fault
