"""An implementation that is not available on the server."""

from typing import Any

import jax


def double(training: Any) -> Any:
    """Double every array."""
    return jax.tree.map(lambda leaf: 2 * leaf, training)
