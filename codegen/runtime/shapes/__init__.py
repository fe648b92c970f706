# pyright: reportAttributeAccessIssue=false
"""What a schema declares of shapes, and the check that holds objects against it."""

import importlib
from typing import TYPE_CHECKING, Any

from .declared import AnyOf as AnyOf
from .declared import Each as Each
from .declared import Given as Given
from .declared import Items as Items
from .declared import Opaque as Opaque
from .declared import Parent as Parent
from .declared import Part as Part
from .declared import Shaped as Shaped
from .declared import Shapes as Shapes
from .declared import Weak as Weak

if TYPE_CHECKING:
    # Written where a schema says `stacked`.
    from .. import stacks

    stack, unstack = stacks.stack, stacks.unstack
else:

    def __getattr__(name: str) -> Any:
        if name in ("stack", "unstack"):
            stacks = importlib.import_module("..stacks", __package__)
            return getattr(stacks, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
