# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What travels through a compiled program, and how the result is made of it.

    def step(plate): return Plate(plate.u + 1, plate.alpha)
    # travels: (u + 1,); the recipe: Plate of (travelled 0, kept 0)

`jax.jit` copies an argument that is returned unchanged. So such a leaf is left out of
the program's results and put back from the call's own arguments. Which ones these are
is seen when the program is traced; the recipe is part of its output's structure, the
only key of a dict, so that each compiled program brings its own.
"""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.split import is_generated
from .donation import left_over
from .entries import Pick, make_pick

# The types that have been seen to be arrays; `isinstance` of jax.Array is slow.
_array_types: Final[set[type[Any]]] = set()

_RETURNABLE: Final = (jax.Array, np.ndarray, np.generic, bool, int, float, complex)


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Recipe:
    """How a result is made of travelled and kept leaves."""

    make: Callable[[Sequence[Any]], Any]
    # The kept leaves that are part of the result; None: it is what has travelled.
    unchanged: Pick | None
    # From the travelled leaves followed by these to the order of the result; None: they
    # are in this order.
    pick: Pick | None
    # How many of the travelled leaves are part of the result; they come first.
    fresh: int

    def __repr__(self) -> str:
        # It is part of the program's text, by which compiled programs are found on disk.
        return "result"

    def result(self, travelled: Sequence[Any], kept: list[Any]) -> Any:
        """Make the result of a call."""
        if self.unchanged is None:
            return self.make(travelled)
        unchanged = self.unchanged(kept)
        if not _array_types.issuperset(map(type, unchanged)):
            unchanged = tuple(map(_as_array, unchanged))
        leaves = (*travelled, *unchanged)
        return self.make(leaves if self.pick is None else self.pick(leaves))


def take_result(
    result: Any, donated: list[Any], unchanged_at: Mapping[int, int], name: str
) -> dict[Recipe, tuple[Any, ...]]:
    """Split a traced result into its recipe and the leaves that have to travel.

    With them travel the donated leaves that no result can take the place of.

    Args:
        result: what the implementation returned
        donated: the donated leaves
        unchanged_at: which leaves of the result are which of the kept ones
        name: the function's name
    """
    leaves, treedef = jax.tree_util.tree_flatten(result)
    _require_arrays(result, leaves, name)
    fresh = tuple(leaf for i, leaf in enumerate(leaves) if i not in unchanged_at)
    travelling = (*fresh, *left_over(donated, fresh))
    unchanged = [unchanged_at[i] for i in range(len(leaves)) if i in unchanged_at]
    make = _maker(result, leaves, treedef)
    if len(fresh) == len(leaves) == len(travelling):
        return {Recipe(make, None, None, len(fresh)): travelling}
    first, second = iter(range(len(fresh))), itertools.count(len(travelling))
    numbers = range(len(leaves))
    order = [next(second if i in unchanged_at else first) for i in numbers]
    count = len(travelling) + len(unchanged)
    pick = None if order == list(range(count)) else make_pick(order)
    return {Recipe(make, make_pick(unchanged), pick, len(fresh)): travelling}


def _maker(
    result: Any, leaves: list[Any], treedef: Any
) -> Callable[[Sequence[Any]], Any]:
    """Return what makes a result of its leaves; one object is made directly."""
    if is_generated(result):
        record = type(result).__codegen_record__
        children, key = record.flatten(result)
        if len(children) == len(leaves) and all(map(operator.is_, children, leaves)):
            return functools.partial(record.unflatten, key)
    unflatten: Callable[[Sequence[Any]], Any] = treedef.unflatten
    return unflatten


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
