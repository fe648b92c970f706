r"""The finding of a rule: code that can give a wrong number, or compile too often.

UnsoundFinding("static number", "heat.Plate", "n", "heat/plate.py", 12, "1, 1.0 and True are equal, ...",
               "`static[...]`, ...")
"""

from __future__ import annotations

from msgspec import Struct
from msgspec import field as encoded


class UnsoundFinding(Struct, frozen=True):
    """One finding, with its position."""

    rule: str  # Example: "number"
    name: str  # the class or function. Example: "heat.plate.Plate"
    field: str  # empty if it is not about a field
    path: str = encoded(name="file")
    line: int
    why: str
    instead: str
    example: str = ""
    """The program that confirms it; only with `--prove`."""
    other: str = ""
    """The class with an equal treedef."""
    is_first: bool = False
    """Whether it is the first finding of its group of classes with equal treedefs."""
