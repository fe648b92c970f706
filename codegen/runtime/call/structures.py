"""Split the arguments of a function into leaves, and build its result from leaves.

    donated, kept = [], []
    split(plate, donated, kept)     # the structure: Plate's key
    donated                         # [plate.u]
    kept                            # [plate.alpha, plate.t]

    structure = find_structure((plate, dt, n), ...)
    structure.values(donated + kept)            # (plate, dt), of these leaves

The generated classes define which of their leaves are donated. Two values of equal
structure append as many leaves, in the same order. That order is determined when a
structure is first seen, from the same arguments with a number instead of each leaf.

    def step(plate): return Plate(plate.u + 1, plate.alpha)
    # travels: (u + 1,); the structure: Plate of (travelled 0, kept 0)

`jax.jit` copies an argument that is returned unchanged. So such a leaf is left out of
the program's results, and taken from the call's own arguments. The trace finds these
leaves. The result structure is part of the program's output structure, as the only key
of a dict, so each compiled program has its own.
"""

import dataclasses
import functools
import itertools
import operator
import types
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.values import is_weak, without_weak_type
from ..declared import Declared
from ..keys.interning import TraceKey
from ..keys.names import is_generated, is_ref
from ..leaves import DeclaredLeaf, map_leaves
from ..splitting import split
from ..treedefs import TreeDef, is_mutable, owned
from .places import Marks

if TYPE_CHECKING:
    from ..traces import TraceRecord
    from . import Parameters

# A function from leaves to a selection of them, in some order.
Pick: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class ArgumentStructure:
    """A structure of a function's arguments."""

    # All arguments in order, with None for traced ones. This keeps static ones alive.
    statics: tuple[Any, ...]
    # The traced arguments by position, with a number instead of each leaf.
    numbered: Mapping[int, Any]
    parameters: "Parameters"
    treedef: TreeDef
    # Reorders the donated leaves followed by the kept ones to the order of `treedef`,
    # which is the order of the numbers.
    pick: Pick
    # Maps the numbers of donated leaves to their positions.
    donated: Mapping[int, int]
    # The origin of each donated leaf, then of each kept one. Example: "plate.u"
    paths: tuple[str, ...]
    # Maps the numbers of leaves of dynamic fields, which no call can donate, to their
    # positions among the kept ones.
    never_donated: Mapping[int, int]
    # The numbers of leaves, with their declarations, as far as there are any.
    declared: Mapping[int, DeclaredLeaf]
    # The positions of leaves that are declared as arrays, and so have no weak type.
    strong: tuple[int, ...]
    # The positions of Refs among the kept leaves, in order.
    refs: tuple[int, ...]

    def refs_after(self, count: int) -> list[int]:
        """Return the positions of Refs among all leaves after the first `count`, which
        are all donated leaves or none.
        """
        return [i + len(self.donated) - count for i in self.refs]

    def values(self, leaves: Sequence[Any]) -> object:
        """Return the traced arguments, built from donated and kept leaves."""
        for path, leaf in zip(self.paths, leaves, strict=True):
            if not jax.tree_util.all_leaves([leaf]):
                raise _not_a_leaf(path, leaf)
        return jax.tree_util.tree_unflatten(self.treedef, self.pick(leaves))


def find_structure(
    arguments: tuple[Any, ...], parameters: "Parameters"
) -> ArgumentStructure:
    """Determine the structure of converted arguments in their declared order."""
    names = parameters.all
    traced = [i for i, name in enumerate(names) if name not in parameters.static]
    located, treedef = jax.tree_util.tree_flatten_with_path(
        tuple(arguments[i] for i in traced)
    )
    treedef = owned(treedef)
    numbers = range(len(located))
    numbered = dict(
        zip(traced, jax.tree_util.tree_unflatten(treedef, numbers), strict=True)
    )
    donated, kept, never = list[Any](), list[Any](), list[Any]()
    declared = dict[int, DeclaredLeaf]()
    for position, value in numbered.items():
        name = names[position]
        split(value, donated if name in parameters.donated else kept, kept)
        split(value, [], never)
        declared |= declared_leaves(value, parameters.types.get(name, Any))
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
        parameters,
        treedef,
        make_pick([positions[number] for number in numbers]),
        {number: positions[number] for number in donated},
        tuple(places[number] for number in order),
        {number: positions[number] - len(donated) for number in never},
        declared,
        tuple(positions[number] for number in strong(declared)),
        tuple(i for i, number in enumerate(kept) if is_ref(located[number][1])),
    )


def make_pick(positions: Sequence[int]) -> Pick:
    """Return a function that selects the items at some positions, as a tuple."""
    if len(positions) > 1:
        return operator.itemgetter(*positions)
    if not positions:
        return lambda _: ()
    (position,) = positions
    return lambda values: (values[position],)


def _not_a_leaf(path: str, value: object) -> TypeError:
    return TypeError(
        f"`{path}` contains a {type(value).__qualname__}, which is not an array: pass "
        "an array. For objects whose leaves were replaced, use `jax.jit`"
    )


def strengthened_at(leaves: Iterable[Any], positions: Iterable[int]) -> list[Any]:
    """Return the leaves, with the weak type removed at some positions."""
    strong = list(leaves)
    for position in positions:
        strong[position] = without_weak_type(strong[position])
    return strong


def declared_leaves(numbered: object, declared: Declared) -> dict[int, DeclaredLeaf]:
    """Return the leaves of a value of a declared type, by the numbers in their places."""
    leaves: list[DeclaredLeaf] = []
    map_leaves(numbered, leaves.append, declared=declared)
    return {leaf.value: leaf for leaf in leaves if type(leaf.value) is int}


def strengthened(value: object, declared: Declared) -> object:
    """Return a value of a declared type, whose declared arrays have no weak type."""
    leaves, treedef = jax.tree_util.tree_flatten(value)
    if not any(map(is_weak, leaves)):
        return value
    numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
    positions = strong(declared_leaves(numbered, declared))
    return jax.tree_util.tree_unflatten(treedef, strengthened_at(leaves, positions))


def strong(leaves: Mapping[int, DeclaredLeaf]) -> list[int]:
    """Return the numbers of the leaves that are declared as arrays."""
    return [number for number, leaf in leaves.items() if leaf.is_array]


# --- results


_CONVERTED: Final = (np.ndarray, np.generic, bool, int, float, complex)
_RETURNABLE: Final = (jax.Array, *_CONVERTED)


@dataclasses.dataclass(eq=False, slots=True, repr=False)
class ResultStructure:
    """All that a call needs after its program ran: one object for each trace.

    It says how to build the result from travelled leaves and kept leaves of the call.
    """

    # None: the program returns the result itself, as only its leaves travel.
    unflatten: Callable[[Sequence[Any]], Any] | None
    # Selects the leaves of the result from the travelled leaves, followed by the kept ones.
    pick: Pick
    # The number of travelled leaves that are part of the result; they come first.
    fresh: int
    # The markers of the donated arrays, created after the first call. None if there are
    # several devices: then `placed` has the shardings of the latest call and its markers.
    marks: Marks | None = None
    placed: tuple[list[Any], Marks] | None = None
    # The positions of donated leaves whose buffers XLA does not reuse, if known.
    unused: list[int] | None = None
    # The record of the trace, until its call has reported it.
    trace: "TraceRecord | None" = None

    def finish_trace(self) -> None:
        """Finish the record of the trace: the first call has compiled and run it."""
        trace, self.trace = self.trace, None
        if trace is not None:
            trace.finish()

    def __repr__(self) -> str:
        # It is part of the program's text, by which JAX finds compiled programs on
        # disk.
        return "result"

    def make_result(self, travelled: Any, kept: Sequence[Any]) -> object:
        """Build the result of a call from travelled leaves and its own kept leaves.

        If the user's own class refuses its leaves, the error has them, since the call
        has consumed its donated fields.
        """
        if self.unflatten is None:
            return travelled
        leaves = self.pick([*travelled, *kept])
        try:
            return self.unflatten(leaves)
        except Exception as error:
            error.leaves = leaves  # type: ignore[attr-defined]
            error.add_note(
                "The call has run, but its result could not be built: `leaves` of this "
                "exception has the arrays of the result, in the order of `jax.tree.leaves`"
            )
            raise


# Each result structure with the leaves that travel, or with the result itself.
Results: TypeAlias = dict[ResultStructure, Any]


def find_unchanged(
    leaves: Sequence[Any], treedef: object, never_donated: Mapping[int, int]
) -> dict[int, int]:
    """Find the leaves of a result that are leaves of the call, and may be the same
    array.

    Each pair is from a dynamic field to a dynamic field, and unique: an array in two
    places must not be donated in either.

    Args:
        leaves: the leaves of the result
        treedef: the structure of the result
        never_donated: the positions of leaves that no call can donate, by their ids

    Returns:
        from numbers of leaves of the result to positions among the kept ones
    """
    places: list[Any] = []
    split(jax.tree_util.tree_unflatten(treedef, range(len(leaves))), [], places)
    positions = dict(never_donated)
    unchanged: dict[int, int] = {}
    for place in places:
        if type(place) is not int:
            raise TypeError(
                f"an object in the result contains a {type(place).__name__} where an "
                "array is declared: return an array"
            )
    for place in sorted(places):
        position = positions.pop(id(leaves[place]), None)
        if position is not None:
            unchanged[place] = position
    return unchanged


def take_result(
    result: object,
    unchanged_at: Mapping[int, int],
    unaliased: Callable[[Sequence[Any]], Sequence[Any]],
) -> Results:
    """Split a traced result into its structure and the leaves that have to travel.

    `unaliased` returns other leaves that must travel with them. `unchanged_at` is the
    result of `find_unchanged`.
    """
    leaves, treedef = jax.tree_util.tree_flatten(result)
    fresh = tuple(leaf for i, leaf in enumerate(leaves) if i not in unchanged_at)
    travelling = (*fresh, *unaliased(fresh))
    if len(fresh) == len(leaves) == len(travelling) and _is_exact(treedef):
        return {ResultStructure(None, make_pick(()), len(fresh)): result}
    numbers, count = itertools.count(), len(travelling)
    order = [
        count + unchanged_at[i] if i in unchanged_at else next(numbers)
        for i in range(len(leaves))
    ]
    unflatten = _unflattener(result, leaves, treedef)
    return {ResultStructure(unflatten, make_pick(order), len(fresh)): travelling}


def _is_exact(treedef: Any) -> bool:
    """Return whether JAX may compare and build a result by its treedef.

    JAX compares the structures of results when it looks for a compiled function. For a
    dict or a foreign class, it uses Python's `==` of their keys or metadata. And a foreign
    class may refuse its leaves, which would lose them within JAX.
    """
    kind, metadata = treedef.node_data() or (None, None)
    is_plain = kind is None or issubclass(kind, (tuple, list, types.NoneType))
    is_exact = type(metadata) is TraceKey or (is_plain and metadata is None)
    return is_exact and all(map(_is_exact, treedef.children()))


def _unflattener(
    result: object, leaves: list[Any], treedef: TreeDef
) -> Callable[[Sequence[Any]], Any]:
    """Return a function that builds a result from its leaves; one object is built
    directly.
    """
    if is_generated(result):
        record = type(result).__codegen_record__
        children, key = record.flatten(result)
        if len(children) == len(leaves) and all(map(operator.is_, children, leaves)):
            return functools.partial(record.unflatten, key)
    if is_mutable(treedef):
        # Each result has its own lists and dicts as metadata.
        treedef = owned(treedef)
        return lambda leaves: owned(treedef).unflatten(leaves)
    unflatten: Callable[[Sequence[Any]], Any] = treedef.unflatten
    return unflatten


def as_arrays(leaves: tuple[Any, ...]) -> tuple[Any, ...]:
    """Convert numbers to arrays. Arrays and Refs are returned unchanged.

    This can fail: an int exceeds its dtype, JAX looks for NaNs, or forbids transfers.
    """
    return tuple(jnp.asarray(x) if isinstance(x, _CONVERTED) else x for x in leaves)


def require_arrays(result: object, unchanged: Container[int], name: str) -> None:
    """Refuse a result in which some leaf is not an array, by its path.

    The leaves with the numbers `unchanged` are the caller's own, such as a Ref.
    """
    located = jax.tree_util.tree_flatten_with_path(result)[0]
    for number, (path, leaf) in enumerate(located):
        place = f"result{jax.tree_util.keystr(path)}"
        if is_ref(leaf):
            if number in unchanged:
                continue
            raise TypeError(
                f"`{name}` returned {place}, which is a Ref. It can return only a Ref that "
                "it was passed in a dynamic field: return the object with that Ref, or "
                "return the value, `ref[...]`"
            )
        if not isinstance(leaf, _RETURNABLE) and not hasattr(leaf, "__jax_array__"):
            kind = type(leaf).__qualname__
            raise TypeError(
                f"`{name}` returned {place} of type {kind}, which is not an array"
            )


# --- placement


def placed_on_mesh(tree: object) -> Any:
    """Return a tree whose objects are placed as their schema declares, if there is a
    mesh.

    The objects of classes that declare placement have a method for it.
    """
    if jax.sharding.get_abstract_mesh().empty:
        return tree
    return jax.tree_util.tree_map(
        lambda value: value.__codegen_place__() if _is_sharded(value) else value,
        tree,
        is_leaf=_is_sharded,
    )


def _is_sharded(value: object) -> bool:
    return hasattr(type(value), "__codegen_place__")
