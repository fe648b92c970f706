"""Declared sharing: one object at several paths, and one set of leaves in the tree.

    plans       where an object has holes when it is flattened
    sharing     what makes and fills them, for the functions of generated classes

The records of classes learn from here where objects have holes.
"""

from ..classes.registration import Record
from .plans import HOLE, holes
from .sharing import (
    hollow,
    rebind,
    relink,
    require_shared,
    split_borrower,
    unflatten,
)

__all__ = [
    "HOLE",
    "hollow",
    "rebind",
    "relink",
    "require_shared",
    "split_borrower",
    "unflatten",
]

Record.holes = staticmethod(holes)  # type: ignore[method-assign, assignment]
