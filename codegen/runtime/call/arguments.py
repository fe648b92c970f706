"""Take the arguments of a function apart into leaves, and put them together again.

    donated, kept = [], []
    split(plate, donated, kept)     # the structure: Plate's key
    donated                         # [plate.u]
    kept                            # [plate.alpha, plate.t]

    structure = find_structure((plate, dt, n), ...)
    structure.values(donated + kept)            # (plate, dt), of these leaves

Generated classes say themselves which of their leaves are donated. Two values of equal
structure append as many leaves, in the same order. That order is learned, where a
structure is seen for the first time, from the same arguments with a number in the place
of each leaf.
"""

import dataclasses
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import jax

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
