"""What the functions of `benchmarks.calls` run: on a generated `State`, and on flat arrays."""

from __future__ import annotations

from typing import Any, TypeVar

import jax

S = TypeVar("S")

DONATED, DYNAMIC = tuple("abcde"), tuple("fghij")


def half(state: Any) -> Any:
    """Change the donated fields and return the others as they are."""
    return state.replace(**changed(state))


def whole(state: Any) -> Any:
    """Change all ten fields."""
    return state.replace(**changed(state), **moved(state))


def changed(state: Any) -> dict[str, jax.Array]:
    """The donated fields, changed."""
    pairs = zip(DONATED, DYNAMIC, strict=True)
    return {to: getattr(state, to) + state.scale * getattr(state, by) for to, by in pairs}


def moved(state: Any) -> dict[str, jax.Array]:
    """The dynamic fields, changed."""
    return {name: getattr(state, name) * state.scale for name in DYNAMIC}


def half_of_arrays(*values: Any) -> tuple[Any, ...]:
    """`half` as one writes it by hand: ten arrays, then three static values."""
    arrays, (_, scale, _) = values[:10], values[10:]
    return (*(x + scale * y for x, y in zip(arrays[:5], arrays[5:], strict=True)), *arrays[5:])


def whole_of_arrays(*values: Any) -> tuple[Any, ...]:
    """`whole` as one writes it by hand."""
    first = half_of_arrays(*values)
    return (*first[:5], *(x * values[11] for x in first[5:]))
