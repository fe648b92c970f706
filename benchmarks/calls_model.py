"""The implementation of the functions in `benchmarks.calls`, for generated states and for other libraries.

A field `d0` is donated and changes: numbers are increased, and a random key is replaced. A field `k0` is dynamic and
returned unchanged. A field `p0` is a part with its own fields. A field `s0` is static.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


def changed(leaf: Any) -> Any:
    """Return the next value of a donated leaf."""
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return jax.random.fold_in(leaf, 1)
    return leaf + 1


def advanced(state: Any) -> Any:
    """Return a dataclass with changed donated fields, also in its parts."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if field.name.startswith("d"):
            changes[field.name] = changed(value)
        elif field.name.startswith("p"):
            changes[field.name] = advanced(value)
    return dataclasses.replace(state, **changes)


def advance(*states: Any, **named: Any) -> Any:
    """Advance one state or several. Generated functions give them names."""
    made = tuple(map(advanced, (*states, *named.values())))
    return made if len(made) > 1 else made[0]
