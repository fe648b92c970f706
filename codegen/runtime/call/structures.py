"""Take the arguments of a function apart into leaves, and make its result of leaves.

    donated, kept = [], []
    split(plate, donated, kept)     # the structure: Plate's key
    donated                         # [plate.u]
    kept                            # [plate.alpha, plate.t]

    structure = find_structure((plate, dt, n), ...)
    structure.values(donated + kept)            # (plate, dt), of these leaves

The generated classes define which of their leaves are donated. Two values of equal
structure append as many leaves, in the same order. That order is learned when a
structure is first seen, from the same arguments with a number instead of each leaf.

    def step(plate): return Plate(plate.u + 1, plate.alpha)
    # travels: (u + 1,); the structure: Plate of (travelled 0, kept 0)

`jax.jit` copies an argument that is returned unchanged. So such a leaf is left out of
the program's results, and is taken from the call's own arguments. The trace finds these
leaves. How the result is made is part of its output's own structure, the only key of a
dict, so that each compiled program has its own.
"""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.values import strengthened, structures
from ..keys.names import has_dtype, is_generated
from ..leaves import Leaf, map_leaves
from ..split import split

# From leaves to some of them, in an order.
Pick: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]


class Parameters(NamedTuple):
    """What a function is declared to take: names."""

    all: tuple[str, ...]
    static: frozenset[str]
    # Whose leaves are donated where their fields are.
    donated: frozenset[str]
    # In which other leaves than arrays are declared.
    weak: frozenset[str]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class ArgumentStructure:
    """A structure of a function's arguments."""

    # All arguments in their order, None for traced ones. This keeps static ones alive.
    statics: tuple[Any, ...]
    # The traced arguments, by their positions, with numbers in the place of leaves.
    numbered: Mapping[int, Any]
    treedef: Any
    # From the donated leaves followed by the kept ones to the order of `treedef`, which
    # is that of the numbers.
    pick: Pick
    # From the numbers of donated leaves to their positions.
    donated: Mapping[int, int]
    # Where the donated leaves, then the kept ones, come from. Example: "plate.u"
    paths: tuple[str, ...]
    # From the numbers of leaves that no call can ever donate, as they are of dynamic
    # fields, to their positions among the kept ones.
    never_donated: Mapping[int, int]
    # The positions of leaves that are declared as arrays, which have no weak type.
    strong: tuple[int, ...]

    def values(self, leaves: Sequence[Any]) -> Any:
        """Return the traced arguments that are made of donated and kept leaves."""
        for path, leaf in zip(self.paths, leaves, strict=True):
            if not jax.tree_util.all_leaves([leaf]):
                raise _not_a_leaf(path, leaf)
        return jax.tree_util.tree_unflatten(self.treedef, self.pick(leaves))


def find_structure(
    arguments: tuple[Any, ...], parameters: Parameters
) -> ArgumentStructure:
    """Learn the structure of arguments, which are converted, in their declared order."""
    names = parameters.all
    traced = [i for i, name in enumerate(names) if name not in parameters.static]
    located, treedef = jax.tree_util.tree_flatten_with_path(
        tuple(arguments[i] for i in traced)
    )
    if others := structures():
        treedef = others.owned(treedef)
    numbers = range(len(located))
    numbered = dict(
        zip(traced, jax.tree_util.tree_unflatten(treedef, numbers), strict=True)
    )
    donated, kept, never = list[Any](), list[Any](), list[Any]()
    strong = set[Any]()
    for position, value in numbered.items():
        name = names[position]
        split(value, donated if name in parameters.donated else kept, kept)
        split(value, [], never)
        strong.update(strong_leaves(value, is_array=name not in parameters.weak))
    order = [*donated, *kept]
    for value in order:
        if not isinstance(value, int):
            raise _not_a_leaf(", ".join(names), value) from None
    assert len(order) == len(numbers), "a class's split and flatten differ"
    positions = {number: position for position, number in enumerate(order)}
    places = [names[traced[p[0].idx]] + jax.tree_util.keystr(p[1:]) for p, _ in located]
    return ArgumentStructure(
        tuple(None if i in numbered else value for i, value in enumerate(arguments)),
        numbered,
        treedef,
        make_pick([positions[number] for number in numbers]),
        {number: positions[number] for number in donated},
        tuple(places[number] for number in order),
        {number: positions[number] - len(donated) for number in never},
        tuple(sorted(positions[number] for number in strong)),
    )


def is_random_key(leaf: Any) -> bool:
    """Tell whether a leaf is an array of random keys, as `jax.random.key` makes."""
    return has_dtype(getattr(leaf, "dtype", None), "key")


def make_pick(positions: Sequence[int]) -> Pick:
    """Return a function that picks the items at some positions, as a tuple."""
    if len(positions) > 1:
        return operator.itemgetter(*positions)
    return lambda values: tuple(values[position] for position in positions)


def _not_a_leaf(path: str, value: object) -> TypeError:
    return TypeError(
        f"`{path}` holds a {type(value).__qualname__}, which is no array: give it an "
        "array, or use `jax.jit` for trees whose leaves were replaced"
    )


def strengthened_at(leaves: Iterable[Any], positions: Iterable[int]) -> list[Any]:
    """Return leaves of which those at some positions have no weak type."""
    strong = list(leaves)
    for position in positions:
        strong[position] = strengthened(strong[position])
    return strong


def strong_leaves(tree: Any, *, is_array: bool) -> list[Any]:
    """Return the leaves that are declared as arrays.

    Args:
        tree: any, in which generated objects say what they declare
        is_array: whether the leaves outside of these are declared as arrays
    """
    found: list[Leaf] = []
    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            map_leaves(value, found.append)
        else:
            found.append(Leaf(value, "", is_array=is_array))
    return [leaf.value for leaf in found if leaf.is_array]


# --- results


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
