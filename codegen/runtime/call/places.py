"""The places of the donated arrays of a call, into which markers are put after it.

places = find_places(structure)                 # once for each structure
marks = make_marks(places, structure, donated, "step")      # once for each trace
for number, find, puts in marks:
    obj = find(arguments[number]) if find else arguments[number]
    for put, marker in puts:
        put(obj, marker)                        # plate.u is a marker now
"""

import contextlib
import functools
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import jax

from ..keys.names import is_generated
from .consumed import make_marker
from .errors import is_deleted, runs_again

if TYPE_CHECKING:
    from .structures import ArgumentStructure

Get: TypeAlias = Callable[[Any], Any]
Put: TypeAlias = Callable[[Any, Any], None]
# The path from an argument to an object in it: names of fields, and other functions.
Way: TypeAlias = tuple[str | Get, ...]
# Each object with donated arrays: the number of its argument, the function from the
# argument to it (None: it is the argument), and its setters with the values to set.
Marks: TypeAlias = list[tuple[int, Get | None, list[tuple[Put, Any]]]]


class Slot(NamedTuple):
    """A field that is a donated array, or a container with at least one."""

    put: Put
    # From the markers of all donated leaves to the value to put.
    pick: Callable[[Sequence[Any]], Any]
    positions: tuple[int, ...]


class Place(NamedTuple):
    """An object among the arguments that has donated arrays, or is one."""

    number: int
    find: Get | None
    slots: list[Slot]


def find_places(structure: "ArgumentStructure") -> list[Place]:
    """Find the places of the donated leaves in the arguments of a function."""
    places: list[Place] = []
    seen, owned = set[int](), set[int]()
    for number, value in structure.numbered.items():
        for obj, way in _objects(value, (), seen):
            names = type(obj).__codegen_record__.data_fields
            found = (_slot(obj, name, structure.donated) for name in names)
            slots = [slot for slot in found if slot]
            owned.update(*(slot.positions for slot in slots))
            if slots:
                places.append(Place(number, _finder(way), slots))
    for number, value in structure.numbered.items():
        for at, leaf in enumerate(_flatten(value)[0]):
            position = None if is_generated(leaf) else structure.donated.get(leaf)
            if position is not None and position not in owned:
                # An argument that is an array itself has no field for a marker.
                find = None if value is leaf else _item(value, at)
                slot = Slot(_delete, lambda _: None, ())
                places.append(Place(number, find, [slot]))
    return places


def make_marks(
    places: Sequence[Place],
    structure: "ArgumentStructure",
    leaves: Sequence[Any],
    function: str,
) -> Marks:
    """Create the markers of the donated leaves of a trace."""
    fields = {
        structure.donated[leaf]: field
        for value in structure.numbered.values()
        for leaf, field in _owning_fields(value)
        if leaf in structure.donated
    }
    markers = [
        make_marker(leaf, fields.get(position, path), path, function)
        for position, (leaf, path) in enumerate(
            zip(leaves, structure.paths, strict=False)
        )
    ]
    return [
        (number, find, [(slot.put, slot.pick(markers)) for slot in slots])
        for number, find, slots in places
    ]


def _slot(obj: object, name: str, donated: Mapping[int, int]) -> Slot | None:
    """Describe a field with donated leaves of a numbered object; None if it has none."""
    child = getattr(obj, name)
    position_of = {
        place: donated[leaf]
        for place, leaf in enumerate(_flatten(child)[0])
        if type(leaf) is int and leaf in donated
    }
    if not position_of:
        return None
    slot, positions = getattr(type(obj), name), tuple(position_of.values())
    if type(child) is int:
        return Slot(slot.__set__, operator.itemgetter(*positions), positions)
    fill = functools.partial(_fill, slot, tuple(position_of))
    return Slot(fill, lambda markers: [markers[i] for i in positions], positions)


def _owning_fields(value: object) -> Iterator[tuple[Any, str]]:
    """Yield the leaves of the objects in an argument, each with the field that owns it.

    Example: "Plate.u". Flattening keeps a shared part only at its owner's path.
    """
    for obj in filter(is_generated, _flatten(value)[0]):
        cls = type(obj)
        children, _ = cls.__codegen_record__.flatten(obj)
        for name, child in zip(
            cls.__codegen_record__.data_fields, children, strict=True
        ):
            for leaf in _flatten(child)[0]:
                if not is_generated(leaf):
                    yield leaf, f"{cls.__qualname__}.{name}"
            yield from _owning_fields(child)


def _objects(value: object, way: Way, seen: set[int]) -> Iterator[tuple[Any, Way]]:
    """Yield every generated object in an argument, and the path to it.

    A shared part is at two places, but is found once.
    """
    if not is_generated(value):
        for number, part in enumerate(_flatten(value)[0]):
            if is_generated(part):
                yield from _objects(part, (*way, _item(value, number)), seen)
    elif id(value) not in seen:
        seen.add(id(value))
        yield value, way
        for name in type(value).__codegen_record__.data_fields:
            yield from _objects(getattr(value, name), (*way, name), seen)


def _item(container: Any, number: int) -> Get:
    """Return a function that gets the part of a container with this number."""
    if type(container) in (tuple, list) and all(map(is_generated, container)):
        return operator.itemgetter(number)
    return lambda value: _flatten(value)[0][number]


def _finder(way: Way) -> Get | None:
    """Return a function that follows a path from an argument; None for an empty path."""
    gets = list[Get]()
    for is_name, group in itertools.groupby(way, lambda step: isinstance(step, str)):
        steps: list[Any] = [*group]
        gets += [operator.attrgetter(".".join(steps))] if is_name else steps
    if len(gets) < 2:
        return gets[0] if gets else None
    return lambda value: functools.reduce(lambda obj, get: get(obj), gets, value)


def _fill(
    slot: Any, numbers: Sequence[int], obj: object, values: Sequence[Any]
) -> None:
    """Put values into the container in a field, by the numbers of its leaves.

    A user's own container may refuse markers. The call has run, and must return its
    result, so such a container keeps its arrays, which are deleted.
    """
    with contextlib.suppress(Exception):
        leaves, treedef = _flatten(slot.__get__(obj))
        for number, value in zip(numbers, values, strict=True):
            leaves[number] = value
        slot.__set__(obj, treedef.unflatten(leaves))


def _delete(leaf: object, _: object) -> None:
    """Delete a donated argument that XLA did not reuse, and that no object holds.

    While JAX looks for NaNs it donates nothing, and the result may have the argument.
    """
    if isinstance(leaf, jax.Array) and not is_deleted(leaf) and not runs_again():
        leaf.delete()


def _flatten(value: object) -> tuple[list[Any], Any]:
    """Flatten a container down to arrays and generated objects."""
    return jax.tree_util.tree_flatten(value, is_leaf=is_generated)
