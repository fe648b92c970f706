# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Which paths of an object are holes, when it is flattened, and who owns what is there.

    share(embed.table, head)        # in Decoder
    share(embed, decoder.embed)     # in Model, which holds a decoder

    plan_of(model).holes            # decoder.head      owned as embed.table
                                    # decoder.embed     owned as embed

Paths that lead to one part are one node of a graph, and its edges are the places where the
part is held. What unites two parts unites their parts too, so rows of one class meet those
of the classes that it holds. Of a node's places the first one owns: that of the owner of
the outermost row. All the others are holes; and since what holds a place is itself at the
place that owns it, no hole lies below another.

A class places all holes in what its paths lead through, those of other classes' rows too.
In an object that has holes already, its class leaves alone what is owned through one of
them: whoever made that hole has made all holes of its part, and left one place.

The rows of what is held are found in the objects, which may be of subclasses.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import jax

if TYPE_CHECKING:
    from ..classes.registration import Record

Path: TypeAlias = tuple[str, ...]


class Hole(tuple[()]):
    """What a borrower leaves in the flattened tree: a node of its own kind, not `None`.

    A tuple, so that libraries which look at empty nodes, as orbax does, know its like.
    """

    __slots__ = ()

    # How another copy of this package knows it.
    __codegen_hole__: Final = True

    def __repr__(self) -> str:
        return "HOLE"

    def __reduce__(self) -> str:
        return "HOLE"


HOLE: Final = Hole()


def _flatten(hole: Hole) -> tuple[tuple[()], None]:
    return (), None


def _unflatten(aux_data: None, children: object) -> Hole:
    return HOLE


jax.tree_util.register_pytree_node(Hole, _flatten, _unflatten)


class Holes:
    """Where the holes of an object are."""

    __slots__ = ("by_class", "fields")

    def __init__(self, fields: dict[str, "int | Holes"]) -> None:
        # By field the number of the hole's owner, or the holes of the object in it.
        self.fields = fields
        self.by_class: dict[type[Any], tuple[tuple[Any, Any, Any], ...]] = {}

    def slots(self, kind: type[Any]) -> tuple[tuple[Any, Any, Any], ...]:
        """Return what sets and what gets each slot of a class, and what is in `fields`.

        Of what no schema declares there are none.
        """
        record: Record | None = getattr(kind, "__codegen_record__", None)
        slots = record.slots if record is not None else ()
        found = tuple((put, take, self.fields.get(name)) for name, put, take in slots)
        self.by_class[kind] = found
        return found


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """What the rows of a class, and of the classes that it holds, come to."""

    # Each hole, and the path by which its part is owned: those in a part before the part.
    holes: tuple[tuple[Path, Path], ...]
    # The paths that own, each once.
    owners: tuple[Path, ...]
    # Fields that are holes, by their number, with that of the owner; fields with holes.
    borrowed: tuple[tuple[int, int], ...]
    hollow: tuple[tuple[int, Holes], ...]


class Question:
    """What has to be known of an object for its plan: the class of what is at a path."""

    __slots__ = ("answers", "path")

    def __init__(self, path: Path) -> None:
        self.path = path
        # By the class, another question or the plan.
        self.answers: dict[type[Any], Any] = {}


def get(obj: Any, path: Sequence[str]) -> Any:
    """Return what is at a path: HOLE below a hole, None where the path ends before."""
    value = obj
    for name in path:
        if value is not obj and not hasattr(type(value), "__codegen_record__"):
            return HOLE if value is HOLE else None
        value = getattr(value, name, None)
    return value


def holes(obj: Any) -> tuple[tuple[Path, Path], ...]:
    """Return where an object has holes when it is flattened, each with its owner."""
    return plan_of(obj).holes if type(obj).__codegen_record__.shares else ()


def plan_of(obj: Any) -> Plan:
    """Return the plan of an object, which depends on its class and its parts' classes."""
    record: Record = type(obj).__codegen_record__
    step = record.plans.get(None)
    while type(step) is Question:
        path = step.path
        value = getattr(obj, path[0]) if len(path) == 1 else get(obj, path)
        step = step.answers.get(type(value))
    return _learned(obj, record) if step is None else step


def _learned(obj: Any, record: "Record") -> Plan:
    """Make the plan of an object, and note what was asked on the way."""
    records: dict[Path, Record] = {}
    asked: set[tuple[Path, Path]] = set()
    steps: dict[Any, Any] = record.plans
    answer: type[Any] | None = None
    while True:
        graph = _Graph(records)
        graph.add((), graph.root, record)
        wanted = next(graph.unknown(asked), None)
        if wanted is None:
            break
        asked.add(wanted)
        holder, path = wanted
        steps = steps.setdefault(answer, Question(path)).answers
        answer = type(get(obj, path))
        found: Record | None = getattr(answer, "__codegen_record__", None)
        if found is not None:
            records[holder] = found
    plan: Plan = steps.setdefault(answer, _plan(graph.root, record))
    return plan


@dataclasses.dataclass(eq=False, slots=True)
class _Node:
    """A part, whatever paths lead to it."""

    # Where it is held, the owner first.
    places: list[tuple["_Node", str]]
    parts: dict[str, "_Node"] = dataclasses.field(default_factory=dict)
    # What it has been united with.
    same: "_Node | None" = None


class _Graph:
    def __init__(self, records: dict[Path, "Record"]) -> None:
        self.root = _Node([])
        self.records = records
        # What lies on the way to shared paths.
        self.holders: dict[Path, _Node] = {}

    def add(self, path: Path, node: _Node, record: "Record") -> None:
        """Add the rows of an object's class, after those of the objects that it holds."""
        for row in record.shares:
            for member in row:
                for end in range(1, len(member)):
                    self.hold((*path, *member[:end]), _at(node, member[:end]))
        for owner, *borrowers in record.shares:
            for borrower in borrowers:
                _lend(_at(node, owner), _at(node, borrower))

    def hold(self, path: Path, node: _Node) -> None:
        if path not in self.holders:
            self.holders[path] = node
            record = self.records.get(path)
            if record is not None:
                self.add(path, node, record)

    def unknown(self, asked: set[tuple[Path, Path]]) -> Iterator[tuple[Path, Path]]:
        """Find the holders whose class is unknown, with a path that may lead to them.

        At their own they may be holes.
        """
        for holder, node in self.holders.items():
            if holder not in self.records:
                for path in (holder, *_paths(node)):
                    if (holder, path) not in asked:
                        yield holder, path


def _only(node: _Node) -> _Node:
    while node.same is not None:
        node = node.same
    return node


def _at(node: _Node, path: Sequence[str]) -> _Node:
    for name in path:
        node = _only(node)
        node = node.parts.setdefault(name, _Node([(node, name)]))
    return _only(node)


def _lend(owner: _Node, borrower: _Node) -> None:
    """Make one of two parts: the owner's places come first, and those in its parts."""
    mine, theirs = _below(owner), _below(borrower)
    _unite(owner, borrower)
    inside = _below(owner)
    for node in theirs:
        # Of what the owner had, the places are in order.
        if node.same is None and node not in mine:
            node.places.sort(key=lambda place: _only(place[0]) not in inside)


def _unite(first: _Node, other: _Node) -> None:
    first, other = _only(first), _only(other)
    if first is not other:
        other.same = first
        first.places += other.places
        for name, part in other.parts.items():
            _unite(first.parts.setdefault(name, part), part)


def _below(node: _Node) -> dict[_Node, None]:
    """Return a part after its parts, and these after theirs."""
    found: dict[_Node, None] = {}
    _collect(_only(node), found)
    return found


def _collect(node: _Node, found: dict[_Node, None]) -> None:
    if node not in found:
        for part in node.parts.values():
            _collect(_only(part), found)
        found[node] = None


def _places(node: _Node) -> list[tuple[_Node, str]]:
    """Return the places of a part, each once: those that held it may have become one."""
    return list(dict.fromkeys((_only(held), name) for held, name in node.places))


def _paths(node: _Node) -> Iterator[Path]:
    places = _places(_only(node))
    for held, name in places:
        yield from ((*path, name) for path in _paths(held))
    if not places:
        yield ()


def _owner(node: _Node) -> Path:
    for held, name in _places(node):
        return (*_owner(held), name)
    return ()


def _plan(root: _Node, record: "Record") -> Plan:
    holes = [
        ((*_owner(held), name), _owner(node))
        for node in _below(root)
        for held, name in _places(node)[1:]
    ]
    numbers: dict[Path, int] = {}
    specs: dict[str, Any] = {}
    for path, owner in holes:
        inner = specs
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = numbers.setdefault(owner, len(numbers))
    found = _as_holes(specs).fields
    fields = [
        (number, found.get(name)) for number, name in enumerate(record.data_fields)
    ]
    return Plan(
        tuple(holes),
        tuple(numbers),
        tuple((number, each) for number, each in fields if isinstance(each, int)),
        tuple((number, each) for number, each in fields if isinstance(each, Holes)),
    )


def _as_holes(specs: dict[str, Any]) -> Holes:
    return Holes(
        {
            name: each if isinstance(each, int) else _as_holes(each)
            for name, each in specs.items()
        }
    )
