# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What travels through a compiled program, and how the result is made of it.

    def step(plate): return Plate(plate.u + 1, plate.alpha)
    # travels: (u + 1,); the recipe: Plate of (travelled 0, kept 0)

`jax.jit` copies an argument that is returned unchanged. So such a leaf is left out of
the program's results and put back from the call's own arguments. Which ones these are
is seen when the program is traced; the recipe is part of its output's structure, so
that each compiled program brings its own.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from .entries import Pick, make_pick

# The types that have been seen to be arrays; `isinstance` of jax.Array is slow.
_array_types: Final[set[type[Any]]] = set()

_RETURNABLE: Final = (jax.Array, np.ndarray, np.generic, bool, int, float, complex)


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Recipe:
    """How a result is made of travelled and kept leaves; a pytree without leaves."""

    treedef: Any
    # From the travelled leaves followed by the kept ones; None: all have travelled.
    pick: Pick | None

    def result(self, travelled: Sequence[Any], kept: list[Any]) -> Any:
        """Make the result of a call."""
        if self.pick is None:
            return self.treedef.unflatten(travelled)
        leaves = self.pick((*travelled, *kept))
        if not _array_types.issuperset(map(type, leaves)):
            leaves = tuple(map(_as_array, leaves))
        return self.treedef.unflatten(leaves)


def take_result(
    result: Any, kept: list[Any], name: str
) -> tuple[Recipe, tuple[Any, ...]]:
    """Split a traced result into its recipe and the leaves that have to travel."""
    leaves, treedef = jax.tree_util.tree_flatten(result)
    _require_arrays(result, leaves, name)
    positions = {id(leaf): index for index, leaf in enumerate(kept)}
    travelling = tuple(leaf for leaf in leaves if id(leaf) not in positions)
    if len(travelling) == len(leaves):
        return Recipe(treedef, None), travelling
    fresh = iter(range(len(travelling)))
    picked = [
        len(travelling) + positions[id(leaf)] if id(leaf) in positions else next(fresh)
        for leaf in leaves
    ]
    return Recipe(treedef, make_pick(picked)), travelling


def _as_array(leaf: Any) -> Any:
    """Return what jit would: the array itself, or the array of a number."""
    if not isinstance(leaf, jax.Array):
        return jnp.asarray(leaf)
    _array_types.add(type(leaf))
    return leaf


def _require_arrays(result: Any, leaves: list[Any], name: str) -> None:
    if all(isinstance(leaf, _RETURNABLE) for leaf in leaves):
        return
    for path, leaf in jax.tree_util.tree_flatten_with_path(result)[0]:
        if not isinstance(leaf, _RETURNABLE) and not hasattr(leaf, "__jax_array__"):
            place = f"result{jax.tree_util.keystr(path)}"
            kind = type(leaf).__qualname__
            raise TypeError(f"`{name}` returned {place} of type {kind}: no array")


def _flatten(recipe: Recipe) -> tuple[tuple[()], Recipe]:
    return (), recipe


def _unflatten(recipe: Recipe, children: object) -> Recipe:
    return recipe


jax.tree_util.register_pytree_node(Recipe, _flatten, _unflatten)
