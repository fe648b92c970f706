# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""One structure of a function's arguments: how leaves become arguments again.

    step(plate, dt, n)      # donated = [plate.u], kept = [plate.alpha, plate.t, dt]
    entry.call(impl, donated, kept)     # impl(plate, dt, n), of these leaves

An entry is made where a structure of arguments is seen for the first time. It learns
the position of each leaf by taking apart the same arguments with a numbered slot in
place of every leaf.
"""

import dataclasses
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import jax

from ..classes.split import Slot, is_generated, split
from ..classes.structures import is_ours, owned
from ..classes.weak import strengthened_result, strong_leaves
from ..keys.views import fresh
from ..mesh.meshes import follow_schema
from .claims import Claims, find_claims

Pick: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]


@dataclasses.dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Entry:
    """A structure of arguments; equal only to itself."""

    # All arguments in their order; traced ones are None. This keeps static ones alive.
    statics: tuple[Any, ...]
    # The positions of the traced arguments.
    traced: tuple[int, ...]
    # The structure of the tuple of the traced arguments.
    treedef: Any
    # From the donated leaves followed by the kept ones to the order of `treedef`.
    pick: Pick
    # Where the donated leaves, then the kept ones, come from. Example: "plate.u".
    paths: tuple[str, ...]
    # Where the donated leaves are held.
    claims: Claims
    # The positions of kept leaves that no call can ever donate: of dynamic fields.
    never_donated: frozenset[int]
    # The positions of leaves that are declared as arrays, which have no weak type.
    strong: tuple[int, ...]

    def call(
        self,
        implementation: Callable[..., Any],
        donated: list[Any],
        kept: list[Any],
        *,
        checks: bool,
    ) -> Any:
        """Call the implementation with arguments made of the leaves.

        Under a mesh, its result is where the schema says; leaves that it returns
        unchanged are where they were. With `checks`, all objects have declared shapes.
        """
        arguments = list(map(fresh, self.statics))
        values = self._values([*donated, *kept])
        for position, value in zip(self.traced, values, strict=True):
            arguments[position] = value
        if checks:
            _check(values)
        result = strengthened_result(implementation(*arguments))
        if checks:
            _check(result)
        placed = follow_schema(result)
        if placed is result:
            return result
        unchanged = self.unchanged(result, kept)
        leaves, treedef = jax.tree_util.tree_flatten(result)
        pairs = zip(leaves, jax.tree_util.tree_leaves(placed), strict=True)
        return jax.tree_util.tree_unflatten(
            treedef,
            [old if i in unchanged else new for i, (old, new) in enumerate(pairs)],
        )

    def unchanged(self, result: Any, kept: Sequence[Any]) -> dict[int, int]:
        """Find the leaves of a result that are kept leaves, and may be the same array.

        Each goes from a dynamic field to a dynamic field, and to one alone: an array
        that is in two places is not to be donated in any.

        Returns:
            from positions in the flattened result to positions among the kept leaves
        """
        leaves, treedef = jax.tree_util.tree_flatten(result)
        skeleton = jax.tree_util.tree_unflatten(treedef, map(Slot, range(len(leaves))))
        places: list[Any] = []
        split(skeleton, [], places)
        for place in places:
            if type(place) is not Slot:
                raise TypeError(
                    f"an object that is returned holds a {type(place).__name__} in the "
                    "place of an array: return what is declared"
                )
        positions = {
            id(leaf): i for i, leaf in enumerate(kept) if i in self.never_donated
        }
        found: dict[int, int] = {}
        for number in sorted(slot.index for slot in places):
            position = positions.pop(id(leaves[number]), None)
            if position is not None:
                found[number] = position
        return found

    def place(self, donated: list[Any], kept: list[Any]) -> tuple[list[Any], list[Any]]:
        """Bring the leaves to where the schema says, if there is a mesh."""
        values = self._values([*donated, *kept])
        placed = follow_schema(values)
        if placed is values:
            return donated, kept
        order = self.pick(range(len(self.paths)))
        found = dict(zip(order, jax.tree_util.tree_leaves(placed), strict=True))
        leaves = [found[position] for position in range(len(found))]
        return leaves[: len(donated)], leaves[len(donated) :]

    def _values(self, leaves: list[Any]) -> Any:
        for path, leaf in zip(self.paths, leaves, strict=True):
            if not jax.tree_util.all_leaves([leaf]):
                raise _not_a_leaf(path, leaf)
        return jax.tree_util.tree_unflatten(self.treedef, self.pick(leaves))


def make_entry(
    arguments: tuple[Any, ...],
    names: Sequence[str],
    static: frozenset[str],
    donated: frozenset[str],
    weak: frozenset[str],
) -> Entry:
    """Learn the structure of arguments.

    Args:
        arguments: all of them, converted, in their declared order
        names: their names
        static: the names of the static ones
        donated: the names of those that are split into donated and kept leaves
        weak: the names of those in which numbers are declared, or nothing
    """
    traced = tuple(i for i, name in enumerate(names) if name not in static)
    located, treedef = jax.tree_util.tree_flatten_with_path(
        tuple(arguments[i] for i in traced)
    )
    if not is_ours(treedef):
        treedef = owned(treedef)
    slots = list(map(Slot, range(len(located))))
    skeletons = jax.tree_util.tree_unflatten(treedef, slots)
    first: list[Any] = []
    second: list[Any] = []
    for position, skeleton in zip(traced, skeletons, strict=True):
        split(skeleton, first if names[position] in donated else second, second)
    never: list[Any] = []
    for skeleton in skeletons:
        split(skeleton, [], never)
    places = [_described(path, [names[i] for i in traced]) for path, _ in located]
    order = first + second
    _require_slots(order, slots, names)
    positions = {slot: position for position, slot in enumerate(order)}
    paths = tuple(places[slot.index] for slot in order)
    strong = strong_leaves(skeletons)
    for position, skeleton in zip(traced, skeletons, strict=True):
        if names[position] not in weak:
            leaves = jax.tree_util.tree_leaves(skeleton, is_leaf=is_generated)
            strong += [leaf for leaf in leaves if not is_generated(leaf)]
    return Entry(
        tuple(None if i in traced else value for i, value in enumerate(arguments)),
        traced,
        treedef,
        make_pick([positions[slot] for slot in slots]),
        paths,
        find_claims(
            dict(zip(traced, skeletons, strict=True)),
            {slot: positions[slot] for slot in first},
            paths,
        ),
        frozenset(positions[slot] - len(first) for slot in never),
        tuple(sorted({positions[slot] for slot in strong})),
    )


def _check(tree: Any) -> None:
    """Hold the objects of a tree against their declared dtypes and shapes."""
    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            value.check()


def make_pick(positions: Sequence[int]) -> Pick:
    """Return a function that picks the items at some positions, as a tuple."""
    if len(positions) > 1:
        return operator.itemgetter(*positions)
    if not positions:
        return lambda _: ()
    (position,) = positions
    return lambda values: (values[position],)


def _described(path: tuple[Any, ...], names: list[str]) -> str:
    argument: str = names[path[0].idx]
    return argument + jax.tree_util.keystr(path[1:])


def _require_slots(order: list[Any], slots: list[Slot], names: Sequence[str]) -> None:
    for value in order:
        if not isinstance(value, Slot):
            raise _not_a_leaf(", ".join(names), value)
    assert len(order) == len(slots), "a class's split and flatten differ"


def _not_a_leaf(path: str, value: object) -> TypeError:
    return TypeError(
        f"`{path}`: an array field holds {type(value).__qualname__}, which is no "
        "array; give it an array, or use `jax.jit` for trees whose leaves were replaced"
    )
