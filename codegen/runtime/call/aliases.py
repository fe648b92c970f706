"""Refuse a call that would donate a buffer twice, or donate one that it also reads.

    step(plate.replace(v=plate.u))      # ValueError: `plate.u` and `plate.v` ...

With more than one CPU device, jax 0.10 ends the process in such a call. What counts is
the Array object: two of them over one buffer, as `jax.device_put` to the device where an
array is makes them, are not found.
"""

from collections.abc import Sequence
from typing import Any

import jax


def require_distinct(
    donated: Sequence[Any], kept: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Refuse leaves among which a donated array occurs twice.

    Args:
        donated: the donated leaves
        kept: the other leaves
        paths: where the donated leaves, then the kept ones, come from
        name: the function's name

    Raises:
        ValueError: with both paths
    """
    first: dict[int, str] = {}
    for leaf, path in zip(donated, paths, strict=False):
        # Only arrays have buffers; numbers are one object here and there by chance.
        if isinstance(leaf, jax.Array):
            if id(leaf) in first:
                raise _refusal(first[id(leaf)], path, name, "donated under both paths")
            first[id(leaf)] = path
    for leaf, path in zip(kept, paths[len(donated) :], strict=True):
        if id(leaf) in first:
            raise _refusal(first[id(leaf)], path, name, "donated here and read there")


def _refusal(first: str, second: str, name: str, what: str) -> ValueError:
    return ValueError(
        f"`{first}` and `{second}` of `{name}` are the same array, {what}: its buffer "
        f"can be given away once only. Give one of them `jnp.copy(...)` of it, or call "
        f"`{name}.keep(...)`, which donates nothing"
    )
