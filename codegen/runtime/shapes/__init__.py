# pyright: reportAttributeAccessIssue=false
"""What a schema declares of shapes, and the check that holds objects against it."""

import importlib
from typing import TYPE_CHECKING, Any

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
