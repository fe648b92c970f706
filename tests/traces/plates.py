"""Objects of the schema of this folder."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp


def make_plate(model: Any, **changes: Any) -> Any:
    values: dict[str, Any] = {"u": jnp.ones((4, 4)), "alpha": jnp.ones(4)}
    values |= {"grid": model.Grid(), "law": model.Linear(), "table": {}}
    return model.Plate(**values | changes)
