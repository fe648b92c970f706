"""Where the donated arrays of a call are, to take them all, or none.

    slots = find_slots(structure, "step")               # once for each structure
    markers = slots.make_markers(donated, code, 12)     # once for each caller
    slots.put(arguments, markers.all, markers)          # plate.u is a marker now
    slots.put(arguments, donated, markers)              # the call failed: an array again

Arrays are taken before the program runs, under a lock: of several calls on one object,
one gets its arrays, and the others are told which call has them.
"""

import dataclasses
import functools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import jax

from ..call.arguments import ArgumentStructure, make_pick
from ..call.errors import held_elsewhere, noted_marker, notes
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

# From an argument to an object in it; None: the argument is the object.
Find: TypeAlias = Callable[[Any], Any] | None
Put: TypeAlias = Callable[[Any, Any], None]
# Of an object: the number of the argument that it is in, what finds its first donated
# array in the argument, that one's position, and what finds the object.
Owner: TypeAlias = tuple[int, Callable[[Any], Any], int, Find]

# How many calls from one place are watched for buffers that were copied.
_WATCHED: Final = 16

# What XLA says of two arguments with one buffer, of which one is donated.
_OF_SHARED: Final = re.compile("Attempt to (use a buffer|donate the same buffer)")

# A handler of a signal may call a function while this thread holds it.
lock: Final = reentrant_lock()


class DonatedSlot(NamedTuple):
    """A field that is a donated array, or a container of some, perhaps among others."""

    # What sets it, and from values by the positions of the donated leaves to what is set.
    put: Put
    pick: Callable[[Sequence[Any]], Any]


@dataclasses.dataclass(eq=False, slots=True)
class Tombstones:
    """The markers of the calls from one line: calls of one program share them."""

    code: CodeType
    offset: int
    # Where the first leaf lies.
    sharding: Any
    # By the positions of the donated leaves.
    all: tuple[Consumed, ...]
    # Owner by owner, with all that sets its fields, and to what.
    objects: tuple[tuple[int, Any, int, Find, tuple[tuple[Put, Any], ...]], ...]
    # How the latest result was made: each compiled program has one of its own, so it
    # tells shapes and dtypes. None until the call is done.
    result: object = None
    # How many more calls are watched for buffers that were copied.
    watched: int = _WATCHED
    # The same as the result, once a call that makes its result so has nothing left to do.
    settled: object = None


class DonatedSlots(NamedTuple):
    """Where the donated leaves of one structure of arguments are."""

    # The function that is called.
    name: str
    # The objects that hold donated leaves, and the fields of each that do.
    objects: dict[Owner, list[DonatedSlot]]
    # By the positions of the donated leaves.
    sites: list[Site]
    # The positions of those that no object holds: arguments themselves.
    unowned: set[int]

    def make_markers(
        self, leaves: Sequence[Any], code: CodeType, offset: int
    ) -> Tombstones:
        """Make those of a caller, by its code and the offset of the call in it.

        They are one call's own until that is done: another, with other shapes, may come
        meanwhile, and this one may fail.
        """
        pairs = zip(leaves, self.sites, strict=False)
        call = self.name, code, offset
        made = tuple(make_marker(leaf, site, call) for leaf, site in pairs)
        # An object loses all its arrays at once.
        objects = tuple(
            (*owner, tuple((slot.put, slot.pick(made)) for slot in slots))
            for owner, slots in self.objects.items()
        )
        sharding = getattr(leaves[0], "sharding", None)
        return Tombstones(code, offset, sharding, made, objects)

    def put(
        self, arguments: tuple[Any, ...], values: Sequence[Any], markers: Tombstones
    ) -> None:
        """Put values where a call has taken leaves from: those leaves, or markers."""
        with lock:
            for value, marker in zip(values, markers.all, strict=True):
                if type(value) is not Consumed:
                    forget_consumed(value, marker)
            for (number, _, _, find), slots in self.objects.items():
                obj = find(arguments[number]) if find else arguments[number]
                for slot in slots:
                    slot.put(obj, slot.pick(values))

    def note(
        self, donated: Sequence[Any], markers: Tombstones, positions: Iterable[int]
    ) -> None:
        """Remember which call consumed the arrays at some positions.

        Raises:
            ConsumedError: an argument that is an array itself was consumed before; then
                nothing is remembered
        """
        for position in self.unowned:
            earlier = noted_marker(donated[position], notes)
            if earlier is not None:
                path = self.sites[position].path
                raise earlier.__codegen_consumed__(f"`{path}` of `{self.name}`")
        for position in positions:
            if isinstance(donated[position], jax.Array):
                into = notes if position in self.unowned else held_elsewhere
                note_consumed(donated[position], markers.all[position], into)


def find_slots(structure: ArgumentStructure, name: str) -> DonatedSlots:
    """Find where the donated leaves are of the arguments of a function of this name."""
    objects: dict[Owner, list[DonatedSlot]] = {}
    # The field that holds each donated leaf. Example: "Plate.u"
    owners: dict[int, str] = {}
    for obj, number, way in _objects(structure.numbered):
        cls = type(obj)
        firsts: list[tuple[Any, int]] = []
        slots: list[DonatedSlot] = []
        for field in cls.__codegen_record__.data_fields:
            child, slot = getattr(obj, field), getattr(cls, field)
            found = {
                place: structure.donated[leaf]
                for place, leaf in enumerate(_flatten(child)[0])
                if type(leaf) is int and leaf in structure.donated
            }
            for position in found.values():
                # A shared array is named by the class that is first, its owner's.
                owners.setdefault(position, f"{cls.__qualname__}.{field}")
            numbers, positions = [*found], [*found.values()]
            if type(child) is int and found:
                firsts.append((way.attribute(field).find, positions[0]))
                pick: Any = operator.itemgetter(positions[0])
                slots.append(DonatedSlot(slot.__set__, pick))
            elif found:
                first = functools.partial(_first, slot, numbers[0])
                firsts.append((way.then(first).find, positions[0]))
                fill = functools.partial(_fill, slot, numbers)
                slots.append(DonatedSlot(fill, make_pick(positions)))
        if slots:
            objects[number, *firsts[0], way.find] = slots
    paths = structure.paths[: len(structure.donated)]
    sites = [Site(owners.get(i, path), path) for i, path in enumerate(paths)]
    return DonatedSlots(name, objects, sites, {*range(len(sites))} - owners.keys())


def refuse_repeated(program: Any, leaves: Sequence[Any]) -> None:
    """Refuse a call that would donate a buffer twice, or donate one that it also reads.

    With more than one CPU device, jax 0.10 ends the process in such a call. Only the
    Array object counts. XLA finds two of them over one buffer, which `jax.device_put` to
    the device of an array makes, if it reads both: see `explain_shared`.

    Args:
        program: a `DonatingProgram`
        leaves: those of the call, the donated ones first

    Raises:
        ValueError: with both paths
    """
    buffers = key_data_of(leaves, program.keys)
    # As exact as `id`, which Python audits: with a hook of it, that takes long.
    if len({*map(object.__hash__, buffers)}) < len(leaves):
        # Only arrays have buffers; numbers are one object here and there by chance.
        groups = [{id(x)} if isinstance(x, jax.Array) else set[int]() for x in buffers]
        _refuse_shared(program, groups, "are the same array")


def key_data_of(leaves: Sequence[Any], keys: Sequence[int]) -> list[Any]:
    """Return leaves, with the array that holds its data in the place of each random key."""
    found = list(leaves)
    for position in keys:
        # As `jax.random.key_data` gives it; that would take as long as the call.
        found[position] = getattr(leaves[position], "_base_array", leaves[position])
    return found


def explain_shared(error: BaseException, program: Any, leaves: Sequence[Any]) -> None:
    """Say which leaves of a call share a buffer, where XLA says that two do.

    Raises:
        ValueError: with both paths
    """
    if not _OF_SHARED.search(str(error)):
        return
    buffers = key_data_of(leaves, program.keys)
    groups = [
        {shard.data.unsafe_buffer_pointer() for shard in leaf.addressable_shards}
        if isinstance(leaf, jax.Array)
        else set[int]()
        for leaf in buffers
    ]
    _refuse_shared(program, groups, "share a buffer", error)


def _refuse_shared(
    program: Any,
    groups: Sequence[set[int]],
    what: str,
    cause: BaseException | None = None,
) -> None:
    """Refuse a call in which a donated leaf has a buffer that another leaf has too.

    Args:
        program: a `DonatingProgram`
        groups: for each leaf, numbers that stand for its buffers, the donated ones first
        what: what two leaves with one buffer do
        cause: what XLA has raised
    """
    name, structure = program.name, program.structure
    first: dict[int, str] = {}
    for number, (group, path) in enumerate(zip(groups, structure.paths, strict=True)):
        is_donated = number < len(structure.donated)
        for buffer in group:
            if buffer in first:
                how = (
                    "donated under both paths"
                    if is_donated
                    else "donated here and read there"
                )
                raise ValueError(
                    f"`{first[buffer]}` and `{path}` of `{name}` {what}, {how}: its buffer "
                    "can be given away once only. Give one of them `jnp.copy(...)` of it, "
                    f"or call `{name}.keep(...)`, which donates nothing"
                ) from cause
            if is_donated:
                first[buffer] = path


class _Way(NamedTuple):
    """How to get from an argument to a part of it: by a function, then by attributes."""

    start: Find = None
    path: str = ""

    @property
    def find(self) -> Find:
        start = self.start
        if not self.path:
            return start
        get = operator.attrgetter(self.path)
        return get if start is None else lambda value: get(start(value))

    def attribute(self, name: str) -> "_Way":
        return self._replace(path=f"{self.path}.{name}".removeprefix("."))

    def then(self, step: Callable[[Any], Any]) -> "_Way":
        find = self.find
        return _Way(step if find is None else lambda value: step(find(value)))


def _objects(arguments: Mapping[int, Any]) -> Iterator[tuple[Any, int, _Way]]:
    """Yield every generated object in arguments, once: its argument, and the way there."""
    waiting = [(value, number, _Way()) for number, value in arguments.items()]
    # A shared part is in two places.
    seen: set[int] = set()
    while waiting:
        value, number, way = waiting.pop(0)
        if not is_generated(value):
            found = enumerate(_flatten(value)[0])
            parts = [(x, way.then(_inside(value, i))) for i, x in found]
            parts = [(part, below) for part, below in parts if is_generated(part)]
        elif id(value) in seen:
            continue
        else:
            seen.add(id(value))
            yield value, number, way
            names = type(value).__codegen_record__.data_fields
            parts = [(getattr(value, name), way.attribute(name)) for name in names]
        waiting[:0] = [(part, number, below) for part, below in parts]


def _inside(container: Any, number: int) -> Callable[[Any], Any]:
    """Return what finds the part of a container with this number."""
    if type(container) in (tuple, list) and all(map(is_generated, container)):
        return operator.itemgetter(number)
    return lambda value: _flatten(value)[0][number]


def _first(slot: Any, number: int, obj: Any) -> Any:
    """Return a leaf of the container in a field, by its number."""
    return _flatten(slot.__get__(obj))[0][number]


def _fill(slot: Any, numbers: list[int], obj: Any, values: Sequence[Any]) -> None:
    """Put values into the container in a field, by the numbers of its leaves."""
    leaves, treedef = _flatten(slot.__get__(obj))
    for number, value in zip(numbers, values, strict=True):
        leaves[number] = value
    slot.__set__(obj, treedef.unflatten(leaves))


def _flatten(value: Any) -> tuple[list[Any], Any]:
    """Flatten a container down to arrays and generated objects."""
    return jax.tree_util.tree_flatten(value, is_leaf=is_generated)


def refuse(found: Any, leaf: Any) -> NoReturn:
    """Refuse a call whose place does not hold the leaf to be taken from it."""
    for value in (found, leaf):
        if is_consumed(value):
            error: RuntimeError = value.__codegen_consumed__()
            raise error
    raise RuntimeError("another thread has changed an argument of the call")
