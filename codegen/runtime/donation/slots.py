"""The places of the donated arrays of a call, to take all of them or none.

    slots = find_slots(structure, "step")               # once for each structure
    markers = slots.make_markers(donated, code, 12)     # once for each caller
    slots.put(arguments, markers.all, markers)          # plate.u is a marker now
    slots.put(arguments, donated, markers)              # the call failed: an array again

Arrays are taken before the program runs, under a lock. If several calls get one object,
one of them takes its arrays, and the others report that call.
"""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import jax

from ..call.errors import held_elsewhere, noted_marker, notes
from ..call.structures import ArgumentStructure, make_pick
from ..keys.interning import reentrant_lock
from ..keys.names import is_generated
from .consumed import (
    Consumed,
    Site,
    forget_consumed,
    is_consumed,
    make_marker,
    note_consumed,
)

Get: TypeAlias = Callable[[Any], Any]
Put: TypeAlias = Callable[[Any, Any], None]
# The path from an argument to an object in it: names of fields, and other functions.
Way: TypeAlias = tuple[str | Get, ...]

# The number of calls from one place that are watched for copied buffers.
_WATCHED: Final = 16

# A signal handler may call a function while this thread holds the lock.
lock: Final = reentrant_lock()


class DonatedSlot(NamedTuple):
    """A field that is a donated array, or a container with at least one."""

    # The setter of the field, and the function from all donated leaves to its value.
    put: Put
    pick: Callable[[Sequence[Any]], Any]
    # Returns the first donated array of the object.
    first: Get
    positions: tuple[int, ...]
    # Whether it is an array itself.
    is_direct: bool = False


class Owner(NamedTuple):
    """An object among the arguments that has donated arrays."""

    # The number of its argument, and the function from the argument to it. None: it is
    # the argument.
    number: int
    find: Get | None
    # Returns the object's first donated array; the position of that.
    first: Get
    position: int


@dataclasses.dataclass(eq=False, slots=True)
class Tombstones:
    """The markers of the calls from one line, which calls of one program share."""

    code: CodeType
    offset: int
    # The sharding of the first leaf.
    sharding: Any
    # By the positions of the donated leaves.
    all: tuple[Consumed, ...]
    # Each owner, with the setters of its fields and the values to set.
    owners: tuple[tuple[int, Get | None, Get, int, tuple[tuple[Put, Any], ...]], ...]
    # The structure of the latest result. Each compiled program has its own, so it
    # identifies shapes and dtypes. None until the call is done.
    result: object = None
    # The number of further calls that are watched for copied buffers.
    watched: int = _WATCHED
    # Equal to `result` once calls with that result need no further work.
    settled: object = None


# The value before the first call.
NO_CALLER: Final = Tombstones(reentrant_lock.__code__, -1, None, (), ())


class DonatedSlots(NamedTuple):
    """The places of the donated leaves of one structure of arguments."""

    # The name of the called function.
    name: str
    # The objects that have donated leaves, with those fields of each.
    owners: dict[Owner, list[DonatedSlot]]
    # By the positions of the donated leaves.
    sites: list[Site]
    # The positions of leaves without an object: arguments that are arrays themselves.
    unowned: set[int]
    # The positions of leaves that are values of fields, and not in containers.
    direct: set[int]

    def make_markers(
        self, leaves: Sequence[Any], code: CodeType, offset: int
    ) -> Tombstones:
        """Create the markers of a call site, by its code and the offset of the call in
        it.

        They belong to one call until it is done. Meanwhile another call with other
        shapes may start, and this one may fail.
        """
        pairs = zip(leaves, self.sites, strict=False)
        call = self.name, code, offset
        markers = tuple(make_marker(leaf, site, call) for leaf, site in pairs)
        # An object loses all its arrays together.
        owners = tuple(
            (
                number,
                find,
                first,
                position,
                tuple((s.put, s.pick(markers)) for s in slots),
            )
            for (number, find, first, position), slots in self.owners.items()
        )
        sharding = getattr(leaves[0], "sharding", None)
        return Tombstones(code, offset, sharding, markers, owners)

    def put(
        self, arguments: tuple[Any, ...], values: Sequence[Any], markers: Tombstones
    ) -> None:
        """Put values into the places from which a call took leaves: those leaves, or
        markers.
        """
        with lock:
            for value, marker in zip(values, markers.all, strict=True):
                if type(value) is not Consumed:
                    forget_consumed(value, marker)
            for (number, find, _, _), slots in self.owners.items():
                obj = find(arguments[number]) if find else arguments[number]
                for slot in slots:
                    slot.put(obj, slot.pick(values))

    def note(
        self, donated: Sequence[Any], markers: Tombstones, positions: Iterable[int]
    ) -> None:
        """Record which call consumed the arrays at some positions.

        Raises:
            ConsumedError: an argument that is an array itself was consumed before; then
                no call is recorded
        """
        for position in self.unowned:
            earlier = noted_marker(donated[position], notes)
            if earlier is not None:
                path = self.sites[position].path
                raise earlier.__codegen_consumed__(f"`{path}` of `{self.name}`")
        for position in positions:
            array = donated[position]
            into = notes if position in self.unowned else held_elsewhere
            # This call fails if an earlier one consumed the array: that one is reported.
            if isinstance(array, jax.Array) and noted_marker(array, into) is None:
                note_consumed(array, markers.all[position], into)


def find_slots(structure: ArgumentStructure, function: str) -> DonatedSlots:
    """Find the places of the donated leaves in the arguments of a function."""
    owners: dict[Owner, list[DonatedSlot]] = {}
    # The field of each donated leaf. Example: "Plate.u"
    fields: dict[int, str] = {}
    seen, direct = set[int](), set[int]()
    for number, value in structure.numbered.items():
        for obj, way in _objects(value, (), seen):
            cls = type(obj)
            names = cls.__codegen_record__.data_fields
            described = {name: _slot(obj, name, structure.donated) for name in names}
            slots = {name: slot for name, slot in described.items() if slot}
            for name, slot in slots.items():
                if slot.is_direct:
                    direct.update(slot.positions)
                for position in slot.positions:
                    # A shared array is named after the first class that has it, its
                    # owner's.
                    fields.setdefault(position, f"{cls.__qualname__}.{name}")
            if slots:
                first, *_ = held = [*slots.values()]
                owner = Owner(number, _finder(way), first.first, first.positions[0])
                owners[owner] = held
    paths = structure.paths[: len(structure.donated)]
    sites = [Site(fields.get(i, path), path) for i, path in enumerate(paths)]
    unowned = {*range(len(sites))} - fields.keys()
    return DonatedSlots(function, owners, sites, unowned, direct)


def _slot(obj: object, field: str, donated: Mapping[int, int]) -> DonatedSlot | None:
    """Describe a field with donated leaves of a numbered object; None if it has none."""
    child, slot = getattr(obj, field), getattr(type(obj), field)
    position_of = {
        place: donated[leaf]
        for place, leaf in enumerate(_flatten(child)[0])
        if type(leaf) is int and leaf in donated
    }
    if not position_of:
        return None
    places, positions = tuple(position_of), tuple(position_of.values())
    if type(child) is int:
        pick, get = operator.itemgetter(*positions), operator.attrgetter(field)
        return DonatedSlot(slot.__set__, pick, get, positions, is_direct=True)
    first = functools.partial(_first, slot, places[0])
    fill = functools.partial(_fill, slot, places)
    return DonatedSlot(fill, make_pick(positions), first, positions)


def _objects(value: Any, way: Way, seen: set[int]) -> Iterator[tuple[Any, Way]]:
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


def _first(slot: Any, number: int, obj: Any) -> Any:
    """Return a leaf of the container in a field, by its number."""
    return _flatten(slot.__get__(obj))[0][number]


def _fill(slot: Any, numbers: Sequence[int], obj: Any, values: Sequence[Any]) -> None:
    """Put values into the container in a field, by the numbers of its leaves."""
    leaves, treedef = _flatten(slot.__get__(obj))
    for number, value in zip(numbers, values, strict=True):
        leaves[number] = value
    slot.__set__(obj, treedef.unflatten(leaves))


def _flatten(value: object) -> tuple[list[Any], Any]:
    """Flatten a container down to arrays and generated objects."""
    return jax.tree_util.tree_flatten(value, is_leaf=is_generated)


def refuse(current: Any, leaf: Any) -> NoReturn:
    """Refuse a call if a field does not contain the leaf to take."""
    for value in (current, leaf):
        if is_consumed(value):
            error: RuntimeError = value.__codegen_consumed__()
            raise error
    raise RuntimeError("another thread changed an argument during the call")
