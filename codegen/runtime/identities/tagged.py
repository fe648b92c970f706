# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Write a graph as a tree, in which every object and array has one place.

    Writer().write([m, m], paths)       # [m with a First on its first leaf, Again(...)]

Trees with nothing at several places are returned as they are.
"""

import functools
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

import jax

from ..classes.registration import Record
from ..classes.structures import InexactStructure
from .graphs import Graph, children_of, is_array, record_of, take_apart
from .marks import Again, First, Mark, Whole, seen


class Lead(NamedTuple):
    """What is at several places, or declares the sharing of what is."""

    # The path of its tree, and its number there.
    tree: str
    number: int
    # Its own path: its name in other trees.
    path: str
    # The attributes that lead from there to what is meant.
    down: tuple[str, ...] = ()


# How many shapes of graphs a writer remembers.
_SHAPES_MAX: Final = 128


class Writer:
    """Writes graphs, and remembers what those of one shape are written as."""

    def __init__(self, *, deep: bool) -> None:
        """Make a writer.

        Args:
            deep: keep the structure of an object at each of its places, so that a tree
                of such objects, as of vmap's axes, is a prefix of what is written
        """
        self.deep = deep
        self.shapes: dict[tuple[Any, ...], Any] = {}

    def write(self, trees: Sequence[Any], paths: Sequence[str]) -> Sequence[Any]:
        """Write the graph of several trees.

        Args:
            trees: the trees, such as the arguments of a call
            paths: where they are, for errors

        Raises:
            ValueError: an object or container is part of itself
        """
        graph = Graph()
        try:
            for tree in trees:
                graph.visit(tree)
        except RecursionError:
            for tree, path in zip(trees, paths, strict=True):
                _refuse_endless(tree, path, {})
            raise
        if not graph.repeated:
            return trees
        seen.count += 1
        shape = tuple(graph.shape)
        try:
            treedef = self.shapes.get(shape)
        except InexactStructure:
            return self._write(graph, trees, paths)
        if treedef is None:
            written = self._write(graph, trees, paths)
            treedef = jax.tree_util.tree_structure(written)
            if len(self.shapes) >= _SHAPES_MAX:
                self.shapes.clear()
            self.shapes[shape] = treedef
        result: Sequence[Any] = jax.tree_util.tree_unflatten(treedef, graph.leaves)
        return result

    def _write(
        self, graph: Graph, trees: Sequence[Any], paths: Sequence[str]
    ) -> list[Any]:
        writing = _Writing(graph, trees, deep=self.deep)
        return list(map(writing.write_tree, trees, paths))


class _Writing:
    def __init__(self, graph: Graph, trees: Sequence[Any], *, deep: bool) -> None:
        self.repeated = graph.repeated
        self.crossing, self.declaring = _crossing(trees, graph.repeated)
        self.deep = deep
        # By id: what has had its first place; of these, what has no leaves.
        self.leads: dict[int, Lead] = {}
        self.wholes: dict[int, Whole] = {}
        # By id, where the objects are that hold what is being written.
        self.open: dict[int, str] = {}
        # What has begun and waits for its first leaf, with its depth; where another
        # tree has it too, it has two names.
        self.waiting: list[tuple[int, Lead, bool]] = []
        # One step a level; the list of trees is at level 0.
        self.path: list[str] = []
        self.number = 0

    def write_tree(self, tree: Any, path: str) -> Any:
        self.path = [path]
        self.number = 0
        return self.write(tree)

    def write(self, value: Any) -> Any:
        """Write a part of a tree."""
        if is_array(value):
            return self.write_array(value)
        record = record_of(type(value))
        if record is not None:
            return self.write_object(value, value, record, None)
        apart = take_apart(value)
        if apart is None:
            return self.write_leaf(value)
        items, make, step = apart
        written: list[Any] = []
        for index, item in enumerate(items):
            self.path.append(step(index))
            written.append(self.write(item))
            self.path.pop()
        return make(written)

    def write_array(self, value: Any) -> Any:
        lead = self.leads.get(id(value))
        if lead is not None:
            return self.again(lead, 0)
        if id(value) in self.repeated:
            self.begin(value)
        return self.write_leaf(value)

    def write_leaf(self, leaf: Any) -> Any:
        return First(self.take(), leaf) if self.waiting else leaf

    def write_object(
        self, value: Any, shadow: Any, record: Record, lead: Lead | None
    ) -> Any:
        """Write an object.

        Args:
            value: the object
            shadow: what is flattened in its place: another object if parts are borrowed
            record: its class's
            lead: if parts are borrowed, what leads here from the object that declares it
        """
        ident = id(value)
        if ident in self.leads:
            return self.write_again(value, shadow)
        if lead is not None:
            self.leads[ident] = lead
        elif ident in self.repeated or ident in self.declaring:
            lead = self.begin(value)
        self.open[ident] = "".join(self.path)
        children, key = record.flatten(shadow)
        written = self.write_fields(value, children, record, lead)
        del self.open[ident]
        if self.waiting and self.waiting[-1][0] == len(self.path):
            return self.write_whole(value)
        return record.unflatten(key, tuple(written))

    def write_fields(
        self, value: Any, children: Sequence[Any], record: Record, lead: Lead | None
    ) -> list[Any]:
        written: list[Any] = []
        for name, real, child in children_of(value, children, record):
            self.path.append(f".{name}")
            if real is child:
                written.append(self.write(child))
            elif record_of(type(child)) is None:
                written.append(child)  # A hole.
            else:
                further = lead and lead._replace(down=(*lead.down, name))
                inner = type(child).__codegen_record__
                written.append(self.write_object(real, child, inner, further))
            self.path.pop()
        return written

    def write_whole(self, value: Any) -> Any:
        """Write an object without leaves: no transformation can change it."""
        self.waiting.pop()
        if id(value) not in self.repeated:
            return value
        whole = self.wholes[id(value)] = Whole(len(self.wholes), value)
        return whole

    def write_again(self, value: Any, shadow: Any) -> Any:
        """Write an object that has been written before."""
        ident = id(value)
        if ident in self.open:
            _refuse_cycle(value, self.open[ident], "".join(self.path))
        if ident in self.wholes:
            return self.wholes[ident]
        lead = self.leads[ident]
        at = "".join(self.path)
        if self.deep:
            hollow, leaves = self.hollow(shadow, lead, 0, at)
            if leaves:
                return hollow
        return self.again(lead, 0, at)

    def hollow(self, value: Any, lead: Lead, up: int, at: str) -> tuple[Any, int]:
        """Return the structure of an object without its leaves, and how many it had."""
        record = record_of(type(value))
        if record is not None:
            children, key = record.flatten(value)
            items = list(children)
            make: Any = functools.partial(record.unflatten, key)
        else:
            apart = None if is_array(value) else take_apart(value)
            if apart is None:
                return self.again(lead, up, at), 1
            items, make, _ = apart
        self.path.append("")
        parts = [self.hollow(item, lead, up + 1, at) for item in items]
        self.path.pop()
        leaves = sum(count for _, count in parts)
        return (make([part for part, _ in parts]), leaves) if leaves else (value, 0)

    def begin(self, value: Any) -> Lead:
        """Give what has its first place here a name."""
        lead = Lead(self.path[0], self.number, "".join(self.path))
        self.number += 1
        self.waiting.append((len(self.path), lead, id(value) in self.crossing))
        self.leads[id(value)] = lead
        return lead

    def again(self, lead: Lead, up: int, at: str = "") -> Again:
        depth, down = len(self.path), lead.down
        if lead.tree == self.path[0]:
            mark = Mark(up, depth - 1, lead.number, down)
        else:
            mark = Mark(up, depth, lead.path, down, at or "".join(self.path))
        return Again((mark, self.take()))

    def take(self) -> tuple[Mark, ...]:
        """Return the marks of what begins at this leaf, the outermost first."""
        depth = len(self.path)
        marks: list[Mark] = []
        for level, lead, crossing in self.waiting:
            marks.append(Mark(depth - level, depth - 1, lead.number))
            if crossing:
                marks.append(Mark(depth - level, depth, lead.path))
        self.waiting.clear()
        return tuple(marks)


def _crossing(trees: Sequence[Any], repeated: set[int]) -> tuple[set[int], set[int]]:
    """Find what is in several trees, and what declares the sharing of borrowers."""
    first: dict[int, int] = {}
    crossing: set[int] = set()
    declaring: dict[int, int] = {}
    for tree, value in enumerate(trees):
        graph = Graph()
        graph.visit(value)
        declaring.update(graph.declaring)
        for ident in repeated & graph.numbers.keys():
            if first.setdefault(ident, tree) != tree:
                crossing.add(ident)
    borrowers = repeated & declaring.keys()
    crossing |= {declaring[borrower] for borrower in borrowers & crossing}
    return crossing, {declaring[borrower] for borrower in borrowers}


def _refuse_cycle(value: Any, outer: str, inner: str) -> NoReturn:
    name = type(value).__qualname__
    raise ValueError(
        f"`{inner}` is the `{name}` at `{outer}`, of which it is a part: a cycle, which "
        "no tree of JAX can have; hold an index in its place, or give one of the two "
        "as an argument of its own"
    )


def _refuse_endless(value: Any, path: str, outer: dict[int, str]) -> None:
    """Refuse a container that is part of itself."""
    if id(value) in outer:
        _refuse_cycle(value, outer[id(value)], path)
    record = record_of(type(value))
    outer = {**outer, id(value): path}
    if record is not None:
        for name, _, child in children_of(value, record.flatten(value)[0], record):
            _refuse_endless(child, f"{path}.{name}", outer)
        return
    items, _, step = (None if is_array(value) else take_apart(value)) or ((), None, str)
    for index, item in enumerate(items):
        _refuse_endless(item, path + step(index), outer)
