# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Take the donated arrays of a call out of its arguments, all of them or none.

    places = find_places(structure)             # once for each structure
    places.take(arguments, donated, markers)    # plate.u is a marker now
    places.put(arguments, donated)              # the call failed: an array again

Arrays are taken before the program runs, under a lock: of several calls on one object,
one gets its arrays, and the others are told who has them.
"""

import dataclasses
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple, TypeAlias

import jax

from ..call.arguments import ArgumentStructure
from ..call.errors import is_deleted, noted_marker
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

# From all arguments to the object that holds a field.
Find: TypeAlias = Callable[[Any], Any]
Put: TypeAlias = Callable[[Any, Any], None]

# How many places that call a function have their markers at hand.
_CALLERS_MAX: Final = 64
# How many calls from one place are watched for buffers that were copied.
_WATCHED: Final = 16

# A handler of a signal may call a function while this thread holds it.
_lock: Final = reentrant_lock()


class Place(NamedTuple):
    """A field that is a donated array, or a container of some, perhaps among others."""

    find: Find
    name: str
    put: Put
    # From numbers among its leaves to positions among the donated ones.
    positions: Mapping[int, int]
    is_array: bool

    def require(self, arguments: tuple[Any, ...], donated: Sequence[Any]) -> None:
        """Refuse a call whose leaves it does not hold any more."""
        held = _flatten(getattr(self.find(arguments), self.name))[0]
        for number, position in self.positions.items():
            if held[number] is not donated[position] or is_consumed(held[number]):
                raise _conflict(held[number], donated[position])

    def fill(self, arguments: tuple[Any, ...], values: Mapping[int, Any]) -> None:
        """Put values in, by the positions of donated leaves."""
        obj = self.find(arguments)
        leaves, treedef = _flatten(getattr(obj, self.name))
        for number, position in self.positions.items():
            leaves[number] = values.get(position, leaves[number])
        self.put(obj, treedef.unflatten(leaves))


@dataclasses.dataclass(eq=False, slots=True)
class Markers:
    """The markers of the calls from one place: calls of one program share them."""

    # The place; the code is held, because its id is a key below.
    code: CodeType
    offset: int
    # By the positions of the donated leaves.
    all: tuple[Consumed, ...]
    # With what finds each holder: what sets its fields, and to what.
    puts: tuple[tuple[Find, tuple[tuple[Put, Consumed], ...]], ...]
    sharding: Any
    # What tells the program, and so the shapes and dtypes; None until its call is done.
    result: object = None
    # How many more calls are watched for buffers that were copied.
    watched: int = _WATCHED


class Places:
    """Where the donated leaves of one structure of arguments are."""

    def __init__(
        self, name: str, places: Sequence[Place], sites: Sequence[Site], bare: set[int]
    ) -> None:
        """Sort them.

        Args:
            name: the function that is called
            places: the fields that hold donated leaves, object by object
            sites: by the positions of the donated leaves
            bare: the positions of those that no object holds: arguments themselves
        """
        self.name = name
        self.places = places
        self.sites = sites
        self.bare = bare
        self.containers = [place for place in places if not place.is_array]
        arrays = [place for place in places if place.is_array]
        # An object loses all its arrays at once.
        self.objects = [
            (find, [(place.name, place.put, place.positions[0]) for place in group])
            for find, group in itertools.groupby(arrays, operator.attrgetter("find"))
        ]
        # The markers of the latest call by each caller: a code object's id and an offset.
        self.callers = dict[tuple[int, int], Markers]()

    def make_markers(
        self, donated: Sequence[Any], code: CodeType, offset: int
    ) -> Markers:
        """Make those of a caller that has none.

        They are one call's own until that is done: another, with other shapes, may come
        meanwhile, and this one may fail.
        """
        call = (self.name, code, offset)
        made = tuple(
            make_marker(leaf, site, call)
            for leaf, site in zip(donated, self.sites, strict=True)
        )
        puts = tuple(
            (find, tuple((put, made[position]) for _, put, position in arrays))
            for find, arrays in self.objects
        )
        sharding = getattr(donated[0], "sharding", None)
        return Markers(code, offset, made, puts, sharding)

    def take(
        self, arguments: tuple[Any, ...], donated: Sequence[Any], markers: Markers
    ) -> None:
        """Replace every donated leaf by its marker.

        Raises:
            ConsumedError: one has been consumed already; then none is replaced
        """
        with _lock:
            # First all are looked at. Arrays of NumPy, or numbers, may be in two places.
            for find, arrays in self.objects:
                name, _, position = arrays[0]
                found, leaf = getattr(find(arguments), name), donated[position]
                if found is not leaf or type(leaf) is Consumed:
                    raise _conflict(found, leaf)
            for container in self.containers:
                container.require(arguments, donated)
            for position in self.bare:
                earlier = noted_marker(donated[position])
                if earlier is not None:
                    path = self.sites[position].path
                    raise earlier.__codegen_consumed__(f"`{path}` of `{self.name}`")
            for find, puts in markers.puts:
                obj = find(arguments)
                for put, marker in puts:
                    put(obj, marker)
            for container in self.containers:
                container.fill(arguments, dict(enumerate(markers.all)))
            for position in self.bare:
                if isinstance(donated[position], jax.Array):
                    note_consumed(donated[position], markers.all[position])

    def put(
        self,
        arguments: tuple[Any, ...],
        values: Sequence[Any],
        *,
        deleted: bool = True,
    ) -> None:
        """Put values where a call has taken leaves from: those leaves, or other markers.

        Args:
            arguments: those of the call
            values: by the positions of the donated leaves
            deleted: whether deleted arrays are put back, too
        """
        pairs = enumerate(values)
        chosen = {i: value for i, value in pairs if deleted or not is_deleted(value)}
        with _lock:
            for position in self.bare & chosen.keys():
                forget_consumed(chosen[position])
            for place in self.places:
                place.fill(arguments, chosen)

    def settle(
        self,
        arguments: tuple[Any, ...],
        donated: Sequence[Any],
        markers: Markers,
        result: object,
    ) -> Markers:
        """Keep the markers of a call that is done; replace those that are another's."""
        code, offset = markers.code, markers.offset
        if markers.result is not None:
            markers = self.make_markers(donated, code, offset)
            self.put(arguments, markers.all)
        markers.result = result
        if len(self.callers) >= _CALLERS_MAX:
            self.callers.clear()
        self.callers[id(code), offset] = markers
        return markers


def find_places(structure: ArgumentStructure, name: str) -> Places:
    """Find where the donated leaves are of the arguments of a function of this name."""
    places: list[Place] = []
    # The field that holds each donated leaf. Example: "Plate.u"
    fields: dict[int, str] = {}
    for obj, find in _objects(structure.numbered):
        cls = type(obj)
        for field in cls.__codegen_record__.data_fields:
            child = getattr(obj, field)
            found = {
                number: structure.donated[leaf]
                for number, leaf in enumerate(_flatten(child)[0])
                if type(leaf) is int and leaf in structure.donated
            }
            for position in found.values():
                # A shared array is named by the class that is first, its owner's.
                fields.setdefault(position, f"{cls.__qualname__}.{field}")
            if found:
                put = getattr(cls, field).__set__
                places.append(Place(find, field, put, found, type(child) is int))
    paths = structure.paths[: len(structure.donated)]
    sites = [Site(fields.get(i, path), path) for i, path in enumerate(paths)]
    return Places(name, places, sites, {*range(len(sites))} - fields.keys())


def require_distinct(
    donated: Sequence[Any], kept: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Refuse a call that would donate a buffer twice, or donate one that it also reads.

    With more than one CPU device, jax 0.10 ends the process in such a call. What counts
    is the Array object: two of them over one buffer, as `jax.device_put` to the device
    where an array is makes them, are not found.

    Args:
        donated: the donated leaves
        kept: the other leaves
        paths: where the donated leaves, then the kept ones, come from
        name: the function's name

    Raises:
        ValueError: with both paths
    """
    first: dict[int, str] = {}
    for number, (leaf, path) in enumerate(zip([*donated, *kept], paths, strict=True)):
        is_donated = number < len(donated)
        if id(leaf) in first:
            twice = "donated under both paths"
            what = twice if is_donated else "donated here and read there"
            raise ValueError(
                f"`{first[id(leaf)]}` and `{path}` of `{name}` are the same array, "
                f"{what}: its buffer can be given away once only. Give one of them "
                f"`jnp.copy(...)` of it, or call `{name}.keep(...)`, which donates nothing"
            )
        # Only arrays have buffers; numbers are one object here and there by chance.
        if is_donated and isinstance(leaf, jax.Array):
            first[id(leaf)] = path


def _objects(arguments: Mapping[int, Any]) -> Iterator[tuple[Any, Find]]:
    """Return every generated object in arguments, once, and what finds it in others."""
    waiting: list[tuple[Any, Find]] = [
        (value, operator.itemgetter(position)) for position, value in arguments.items()
    ]
    # A shared part is in two places.
    seen: set[int] = set()
    while waiting:
        value, find = waiting.pop(0)
        parts: list[tuple[Any, Find]]
        if not is_generated(value):
            found = enumerate(_flatten(value)[0])
            parts = [
                (part, _inside(value, i)) for i, part in found if is_generated(part)
            ]
        elif id(value) in seen:
            continue
        else:
            seen.add(id(value))
            yield value, find
            names = type(value).__codegen_record__.data_fields
            parts = [
                (getattr(value, name), operator.attrgetter(name)) for name in names
            ]
        waiting[:0] = [(part, _chained(find, below)) for part, below in parts]


def _inside(container: Any, number: int) -> Find:
    """Return what finds the part of a container with this number."""
    if type(container) in (tuple, list) and all(map(is_generated, container)):
        return operator.itemgetter(number)
    return lambda value: _flatten(value)[0][number]


def _chained(first: Find, second: Find) -> Find:
    return lambda value: second(first(value))


def _flatten(value: Any) -> tuple[list[Any], Any]:
    """Flatten a container down to arrays and generated objects."""
    return jax.tree_util.tree_flatten(value, is_leaf=is_generated)


def _conflict(found: Any, leaf: Any) -> RuntimeError:
    """Return the error of a place that does not hold the leaf to be taken from it."""
    for value in (found, leaf):
        if is_consumed(value):
            error: RuntimeError = value.__codegen_consumed__()
            return error
    return RuntimeError("another thread has changed an argument of the call")
