"""The implementation of all functions that the tests break."""

from typing import Any

import jax


def changed(obj: Any) -> Any:
    """Return an object with other numbers."""
    return jax.tree.map(lambda leaf: leaf + 1, obj)
