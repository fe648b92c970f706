# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Put markers where a call takes arrays from, all of them or none.

    claims = find_claims(skeletons, ...)                # once for each structure
    claims.take(arguments, donated, markers)            # plate.u is a marker now
    claims.give_back(arguments, donated, deleted=...)   # the call failed: an array again

Fields are taken before the program runs, under a lock: of several calls on one object,
one gets its arrays, and the others are told who has them.
"""

import dataclasses
import operator
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple, TypeAlias

import jax

from ..classes.split import Slot, is_generated
from ..keys.locks import reentrant_lock
from .consumed import (
    Consumed,
    Site,
    caller,
    consumed_error,
    is_consumed,
    mark,
    spent_error,
)
from .spent import forget_spent, note_spent, spent_marker

# From all arguments to the object that holds a field.
Pick: TypeAlias = Callable[[Any], Any]
Put: TypeAlias = Callable[[Any, Any], None]

# How many places that call a function have their markers at hand.
_PLACES_MAX: Final = 64
# How many calls from one place are watched for buffers that were copied.
_WATCHED: Final = 16

# A handler of a signal may call a function while this thread holds it.
_lock: Final = reentrant_lock()


class Holder(NamedTuple):
    """An object with donated arrays as fields; it loses all of them at once."""

    pick: Pick
    # One of the fields, and the position of its leaf among the donated ones.
    name: str
    position: int
    # What sets each of the fields, and the positions of their leaves.
    fields: tuple[tuple[Put, int], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Container:
    """A field that is a tuple, dict, ... of donated arrays, perhaps among others."""

    pick: Pick
    name: str
    put: Put
    # From numbers among its leaves to positions among the donated ones.
    positions: Mapping[int, int]


@dataclasses.dataclass(eq=False, slots=True)
class Markers:
    """The markers of the calls from one place: calls of one program share them."""

    # The place; the code is held, because its id is a key below.
    code: CodeType
    offset: int
    # By the positions of the donated leaves.
    all: tuple[Consumed, ...]
    # With each holder, what sets its fields, and to what.
    puts: tuple[tuple[Holder, tuple[tuple[Put, Consumed], ...]], ...]
    # What tells the program, and so the shapes and dtypes; None until its call is done.
    recipe: object
    sharding: Any
    # How many more calls are watched for buffers that were copied.
    watched: int = _WATCHED


@dataclasses.dataclass(eq=False, slots=True)
class Claims:
    """Where the donated leaves of one structure of arguments are."""

    holders: tuple[Holder, ...]
    containers: tuple[Container, ...]
    # By the positions of the donated leaves.
    sites: tuple[Site, ...]
    # The positions of donated leaves that no object holds: arguments themselves.
    bare: frozenset[int]
    # The markers of the latest call from each place: a code object's id and an offset.
    places: dict[tuple[int, int], Markers]
    # Those of the place that was asked for last: mostly it is asked for again.
    latest: Markers | None = None

    def markers_at(
        self, donated: Sequence[Any], name: str, code: CodeType, offset: int
    ) -> Markers:
        """Return the markers of a place; make them where there are none.

        Those that are made are one call's own until that is done: another, with other
        shapes, may come meanwhile, and this one may fail.
        """
        markers = self.places.get((id(code), offset))
        if markers is None:
            return self._make_markers(donated, name, code, offset)
        self.latest = markers
        return markers

    def _make_markers(
        self, donated: Sequence[Any], name: str, code: CodeType, offset: int
    ) -> Markers:
        call = (name, code, offset)
        made = tuple(map(mark, donated, self.sites, [call] * len(donated)))
        sharding = getattr(donated[0], "sharding", None)
        puts = tuple(
            (holder, tuple((put, made[position]) for put, position in holder.fields))
            for holder in self.holders
        )
        return Markers(code, offset, made, puts, None, sharding)

    def take(
        self,
        arguments: tuple[Any, ...],
        donated: Sequence[Any],
        markers: Markers,
    ) -> None:
        """Replace every donated leaf by its marker.

        Raises:
            ConsumedError: one has been consumed already; then none is replaced
        """
        with _lock:
            if self.bare:
                self._take_bare(donated, markers.all)
            for holder, puts in markers.puts:
                pick, name, first, _ = holder
                obj = pick(arguments)
                leaf = donated[first]
                if getattr(obj, name) is not leaf or type(leaf) is Consumed:
                    self._refuse(holder, arguments, donated)
                for put, marker in puts:
                    put(obj, marker)
            for container in self.containers:
                self._take_container(container, arguments, donated, markers.all)

    def correct(
        self,
        arguments: tuple[Any, ...],
        donated: Sequence[Any],
        name: str,
        markers: Markers,
        recipe: object,
    ) -> Markers:
        """Give markers their program, or replace them where they are another's."""
        code, offset = markers.code, markers.offset
        if markers.recipe is not None:
            markers = self._make_markers(donated, name, code, offset)
            self.give_back(arguments, markers.all, deleted=True)
        markers.recipe = recipe
        if len(self.places) >= _PLACES_MAX:
            self.places.clear()
        self.places[id(code), offset] = self.latest = markers
        return markers

    def give_back(
        self, arguments: tuple[Any, ...], donated: Sequence[Any], *, deleted: bool
    ) -> None:
        """Put back what a call has taken; deleted arrays too where `deleted` is set."""
        with _lock:
            self._give_back(arguments, donated, None, deleted=deleted)

    def _take_bare(self, donated: Sequence[Any], markers: Sequence[Consumed]) -> None:
        for position in self.bare:
            earlier = spent_marker(donated[position])
            if earlier is not None:
                path, name = self.sites[position].path, caller(markers[position])
                raise spent_error(earlier, path, name)
        for position in self.bare:
            if isinstance(donated[position], jax.Array):
                note_spent(donated[position], markers[position])

    def _take_container(
        self,
        container: Container,
        arguments: tuple[Any, ...],
        donated: Sequence[Any],
        markers: Sequence[Consumed],
    ) -> None:
        obj = container.pick(arguments)
        leaves, treedef = _flatten(getattr(obj, container.name))
        for number, position in container.positions.items():
            leaf = donated[position]
            if leaves[number] is not leaf or is_consumed(leaf):
                self._give_back(arguments, donated, container, deleted=True)
                raise _conflict(leaves[number], leaf)
            leaves[number] = markers[position]
        container.put(obj, treedef.unflatten(leaves))

    def _refuse(
        self, holder: Holder, arguments: tuple[Any, ...], donated: Sequence[Any]
    ) -> None:
        """Refuse an object, unless this very call has taken it as another argument."""
        obj = holder.pick(arguments)
        for earlier in self.holders[: self.holders.index(holder)]:
            if earlier.pick(arguments) is obj:
                return  # With arrays of NumPy or numbers, which may be in two places.
        self._give_back(arguments, donated, holder, deleted=True)
        raise _conflict(getattr(obj, holder.name), donated[holder.position])

    def _give_back(
        self,
        arguments: tuple[Any, ...],
        donated: Sequence[Any],
        end: Holder | Container | None,
        *,
        deleted: bool,
    ) -> None:
        """Put back what has been taken from the objects before `end`, or from all."""
        for position in self.bare:
            if deleted or not _is_deleted(donated[position]):
                forget_spent(donated[position])
        taken: tuple[Holder | Container, ...] = (*self.holders, *self.containers)
        for each in taken:
            if each is end:
                return
            obj = each.pick(arguments)
            if isinstance(each, Holder):
                for put, position in each.fields:
                    if deleted or not _is_deleted(donated[position]):
                        put(obj, donated[position])
                continue
            leaves, treedef = _flatten(getattr(obj, each.name))
            for number, position in each.positions.items():
                if deleted or not _is_deleted(donated[position]):
                    leaves[number] = donated[position]
            each.put(obj, treedef.unflatten(leaves))


def find_claims(
    skeletons: Mapping[int, Any], positions: Mapping[Slot, int], paths: Sequence[str]
) -> Claims:
    """Find where donated leaves are.

    Args:
        skeletons: the traced arguments by their position, with slots for leaves
        positions: from the slots of donated leaves to their positions among these
        paths: where the donated leaves come from
    """
    search = _Search(positions, [], [], {}, set())
    for position, skeleton in skeletons.items():
        search.visit(skeleton, operator.itemgetter(position))
    everything = range(len(positions))
    return Claims(
        tuple(search.holders),
        tuple(search.containers),
        tuple(Site(search.fields.get(i, paths[i]), paths[i]) for i in everything),
        frozenset(everything) - search.fields.keys(),
        {},
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Search:
    positions: Mapping[Slot, int]
    holders: list[Holder]
    containers: list[Container]
    # The field that holds each donated leaf. Example: "Plate.u"
    fields: dict[int, str]
    # The ids of the objects visited: a shared part is in two places.
    seen: set[int]

    def visit(self, value: Any, pick: Pick) -> None:
        """Find the fields of all generated objects in an argument or container."""
        if not is_generated(value):
            for number, part in enumerate(_flatten(value)[0]):
                if is_generated(part):
                    self.visit(part, _chained(pick, _inside(value, number)))
        elif id(value) not in self.seen:
            self.seen.add(id(value))
            self._visit_fields(value, pick)

    def _visit_fields(self, value: Any, pick: Pick) -> None:
        cls = type(value)
        names = cls.__codegen_record__.data_fields
        direct: list[tuple[str, int]] = []
        for name in names:
            child = getattr(value, name)
            found = self._donated(child)
            for position in found.values():
                # A shared array is named by the class that is first, its owner's.
                self.fields.setdefault(position, f"{cls.__qualname__}.{name}")
            if found and type(child) is Slot:
                direct.append((name, found[0]))
            elif found and not is_generated(child):
                put = getattr(cls, name).__set__
                self.containers.append(Container(pick, name, put, found))
        if direct:
            fields = tuple((getattr(cls, name).__set__, i) for name, i in direct)
            self.holders.append(Holder(pick, *direct[0], fields))
        for name in names:
            self.visit(getattr(value, name), _chained(pick, operator.attrgetter(name)))

    def _donated(self, value: Any) -> dict[int, int]:
        """Return where donated leaves are in a field: numbers and positions."""
        return {
            number: self.positions[leaf]
            for number, leaf in enumerate(_flatten(value)[0])
            if type(leaf) is Slot and leaf in self.positions
        }


def _inside(container: Any, number: int) -> Pick:
    """Return what finds the part of a container with this number."""
    if type(container) in (tuple, list) and all(map(is_generated, container)):
        return operator.itemgetter(number)
    return lambda value: _flatten(value)[0][number]


def _chained(first: Pick, second: Pick) -> Pick:
    return lambda value: second(first(value))


def _flatten(value: Any) -> tuple[list[Any], Any]:
    """Flatten a container down to arrays and generated objects."""
    return jax.tree_util.tree_flatten(value, is_leaf=is_generated)


def _is_deleted(array: Any) -> bool:
    return isinstance(array, jax.Array) and array.is_deleted()


def _conflict(found: Any, leaf: Any) -> RuntimeError:
    for value in (found, leaf):
        if is_consumed(value):
            return consumed_error(value)
    return RuntimeError("another thread has changed an argument of the call")
