"""Implementations for the schema, and helpers."""

from pathlib import Path
from typing import Any

import jax

HERE = Path(__file__).parent


def drawn(stream: Any) -> Any:
    draft = stream.draft()
    draft.next_key()
    return draft.freeze()


def advance(state: Any, dt: Any) -> Any:
    draft = state.draft()
    draft.u = draft.u + dt
    draft.t += dt
    return draft.freeze()


def axes_of(obj: Any, **given: int) -> Any:
    """Return an object with the axis of each field, as `obj.axes(...)` does."""
    copy = jax.tree.unflatten(jax.tree.structure(obj), [None] * len(jax.tree.leaves(obj)))
    for name, axis in given.items():
        object.__setattr__(copy, name, axis)
    return copy
