"""What travels through a compiled program, and how the result is made of it.

    def step(plate): return Plate(plate.u + 1, plate.alpha)
    # travels: (u + 1,); the structure: Plate of (travelled 0, kept 0)

`jax.jit` copies an argument that is returned unchanged. So such a leaf is left out of
the program's results and put back from the call's own arguments. Which ones these are
is seen when the program is traced; how the result is made is part of its output's own
structure, the only key of a dict, so that each compiled program brings it along.
"""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.values import structures
from ..keys.names import is_generated
from ..split import split
from .arguments import Pick, make_pick

# The types that were found to need no conversion; `isinstance` takes long for each leaf.
_array_types: Final[set[type[Any]]] = set()

_CONVERTED: Final = (np.ndarray, np.generic, bool, int, float, complex)
_RETURNABLE: Final = (jax.Array, *_CONVERTED)


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class ResultStructure:
    """How a result is made of travelled leaves, and kept leaves of the call."""

    unflatten: Callable[[Sequence[Any]], Any]
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

    def make_result(self, travelled: Sequence[Any], kept: Sequence[Any]) -> Any:
        """Make the result of a call that has kept some leaves."""
        if self.unchanged is None:
            return self.unflatten(travelled)
        unchanged = self.unchanged(kept)
        if not _array_types.issuperset(map(type, unchanged)):
            unchanged = tuple(map(_as_array, unchanged))
        leaves = (*travelled, *unchanged)
        return self.unflatten(leaves if self.pick is None else self.pick(leaves))


# With the leaves that travel.
Results: TypeAlias = dict[ResultStructure, tuple[Any, ...]]


def find_unchanged(
    leaves: Sequence[Any], treedef: Any, never_donated: Mapping[int, int]
) -> dict[int, int]:
    """Find the leaves of a result that are leaves of the call, and may be the same array.

    Each goes from a dynamic field to a dynamic field, and to one alone: an array that is
    in two places is not to be donated in any.

    Args:
        leaves: those of the result
        treedef: its structure
        never_donated: the positions of leaves that no call can donate, by their ids

    Returns:
        from numbers of leaves of the result to positions among the kept ones
    """
    places: list[Any] = []
    split(jax.tree_util.tree_unflatten(treedef, range(len(leaves))), [], places)
    positions = dict(never_donated)
    found: dict[int, int] = {}
    for place in places:
        if type(place) is not int:
            raise TypeError(
                f"an object that is returned holds a {type(place).__name__} in the "
                "place of an array: return what is declared"
            )
    for place in sorted(places):
        position = positions.pop(id(leaves[place]), None)
        if position is not None:
            found[place] = position
    return found


def take_result(
    result: Any,
    unchanged_at: Mapping[int, int],
    left_over: Callable[[Sequence[Any]], Sequence[Any]],
) -> Results:
    """Split a traced result into its structure and the leaves that have to travel.

    Args:
        result: what the implementation returned
        unchanged_at: what `find_unchanged` says
        left_over: of the leaves that travel, which others are to travel with them
    """
    leaves, treedef = jax.tree_util.tree_flatten(result)
    numbers = range(len(leaves))
    fresh = tuple(leaf for i, leaf in enumerate(leaves) if i not in unchanged_at)
    travelling = (*fresh, *left_over(fresh))
    unflatten = _unflattener(result, leaves, treedef)
    if len(fresh) == len(leaves) == len(travelling):
        return {ResultStructure(unflatten, None, None, len(fresh)): travelling}
    unchanged = make_pick([unchanged_at[i] for i in numbers if i in unchanged_at])
    first, second = itertools.count(), itertools.count(len(travelling))
    order = [next(second if i in unchanged_at else first) for i in numbers]
    in_order = order == list(range(len(travelling) + len(unchanged_at)))
    pick = None if in_order else make_pick(order)
    return {ResultStructure(unflatten, unchanged, pick, len(fresh)): travelling}


def _unflattener(
    result: Any, leaves: list[Any], treedef: Any
) -> Callable[[Sequence[Any]], Any]:
    """Return what makes a result of its leaves; one object is made directly."""
    if is_generated(result):
        record = type(result).__codegen_record__
        children, key = record.flatten(result)
        if len(children) == len(leaves) and all(map(operator.is_, children, leaves)):
            return functools.partial(record.unflatten, key)
    if (others := structures()) and others.is_mutable(treedef):
        # Each result has lists and dicts of its own as metadata.
        treedef = others.owned(treedef)
        return lambda leaves: others.owned(treedef).unflatten(leaves)
    unflatten: Callable[[Sequence[Any]], Any] = treedef.unflatten
    return unflatten


def _as_array(leaf: Any) -> Any:
    """Return the array of a number, and all else as it is: an array or a Ref.

    The program has run and has consumed its arguments, so nothing may fail here.
    """
    if isinstance(leaf, _CONVERTED):
        return jnp.asarray(leaf)
    _array_types.add(type(leaf))
    return leaf


def require_arrays(result: Any, unchanged: Container[int], name: str) -> None:
    """Refuse a result in which some leaf is no array.

    Args:
        result: what the implementation returned
        unchanged: the numbers of the leaves that are the caller's own, such as a Ref
        name: the function's

    Raises:
        TypeError: says which leaf
    """
    located = jax.tree_util.tree_flatten_with_path(result)[0]
    for number, (path, leaf) in enumerate(located):
        place = f"result{jax.tree_util.keystr(path)}"
        is_array = isinstance(leaf, _RETURNABLE) or hasattr(leaf, "__jax_array__")
        if is_ref(leaf) and number not in unchanged:
            raise TypeError(
                f"`{name}` returned {place}, which is a Ref that is not the caller's own "
                "in a dynamic field: return the object with the Ref that it was given, or "
                "the content, `ref[...]`"
            )
        if not is_array:
            kind = type(leaf).__qualname__
            raise TypeError(f"`{name}` returned {place} of type {kind}: no array")


def is_ref(leaf: Any) -> bool:
    """Tell whether a leaf is a Ref, or stands for one in a trace."""
    aval: Any = getattr(leaf, "aval", None)
    return isinstance(leaf, jax.Ref) or hasattr(aval, "inner_aval")
