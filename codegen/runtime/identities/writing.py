# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Write a graph as a tree, in which every object and array has one place.

    Writer().write([m, m], paths)       # [m with a First on its first leaf, Again(...)]

Trees with nothing at several places are returned as they are.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jax

from ..structures import InexactStructure
from .graphs import Graph, Level, is_array, level_of, record_of
from .nodes import Again, Alias, First, Whole, seen


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
                graph.visit_tree(tree)
        except RecursionError:
            self._write(graph, trees, paths)  # which says what is part of itself
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
        writing = _Writing(graph, deep=self.deep)
        return list(map(writing.write_tree, trees, paths))


class _Writing:
    def __init__(self, graph: Graph, *, deep: bool) -> None:
        self.repeated = graph.repeated
        declaring = graph.declaring
        borrowers = graph.repeated & declaring.keys()
        lending = borrowers & graph.crossing
        # What declares the sharing of borrowers; and what has a name in other trees.
        self.declaring = {declaring[borrower] for borrower in borrowers}
        self.crossing = graph.crossing | {declaring[borrower] for borrower in lending}
        self.deep = deep
        # By id: what has had its first place; of these, what has no leaves.
        self.leads: dict[int, Lead] = {}
        self.wholes: dict[int, Whole] = {}
        # By id, where the objects and containers are that hold what is being written.
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
        level = level_of(value)
        if level is None:
            return self.write_leaf(value)
        if record_of(type(value)) is not None:
            return self.write_object(value, value, level, None)
        self.enter(value)
        pairs = zip(level.steps, level.items, strict=True)
        written = [self.write_below(*pair) for pair in pairs]
        del self.open[id(value)]
        return level.made_of(written)

    def enter(self, value: Any) -> None:
        """Begin to write an object or container, which is no part of itself."""
        here = "".join(self.path)
        outer = self.open.setdefault(id(value), here)
        if outer is not here:
            raise ValueError(
                f"`{here}` is the `{type(value).__qualname__}` at `{outer}`, of which it "
                "is a part: a cycle, which no tree of JAX can have; hold an index in its "
                "place, or give one of the two as an argument of its own"
            )

    def write_below(self, step: str, value: Any) -> Any:
        self.path.append(step)
        written = self.write(value)
        self.path.pop()
        return written

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
        self, value: Any, shadow: Any, level: Level, lead: Lead | None
    ) -> Any:
        """Write an object.

        Args:
            value: the object
            shadow: what is flattened in its place: another object if parts are borrowed
            level: what that directly holds
            lead: if parts are borrowed, what leads here from the object that declares it
        """
        ident = id(value)
        if ident in self.leads and ident not in self.open:
            return self.write_again(value, shadow)
        self.enter(value)
        if lead is not None:
            self.leads[ident] = lead
        elif ident in self.repeated or ident in self.declaring:
            lead = self.begin(value)
        written: list[Any] = []
        for step, child in zip(level.steps, level.items, strict=True):
            real = getattr(value, step[1:])
            if real is child or record_of(type(child)) is None:
                written.append(self.write_below(step, child))
                continue
            # It has holes of this object's making.
            further = lead and lead._replace(down=(*lead.down, step[1:]))
            inner = level_of(child)
            assert inner is not None, "an object is no leaf"
            self.path.append(step)
            written.append(self.write_object(real, child, inner, further))
            self.path.pop()
        del self.open[ident]
        if self.waiting and self.waiting[-1][0] == len(self.path):
            return self.write_whole(value)
        return level.made_of(written)

    def write_whole(self, value: Any) -> Any:
        """Write an object without leaves: no transformation can change it."""
        self.waiting.pop()
        if id(value) not in self.repeated:
            return value
        whole = self.wholes[id(value)] = Whole((len(self.wholes), value))
        return whole

    def write_again(self, value: Any, shadow: Any) -> Any:
        """Write an object that has been written before."""
        ident = id(value)
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
        level = None if is_array(value) else level_of(value)
        if level is None:
            return self.again(lead, up, at), 1
        self.path.append("")
        parts = [self.hollow(item, lead, up + 1, at) for item in level.items]
        self.path.pop()
        leaves = sum(count for _, count in parts)
        made = level.made_of([part for part, _ in parts]) if leaves else value
        return made, leaves

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
            alias = Alias(up, depth - 1, lead.number, down)
        else:
            alias = Alias(up, depth, lead.path, down, at or "".join(self.path))
        return Again((alias, self.take()))

    def take(self) -> tuple[Alias, ...]:
        """Return the aliases of what begins at this leaf, the outermost first."""
        depth = len(self.path)
        aliases: list[Alias] = []
        for level, lead, crossing in self.waiting:
            aliases.append(Alias(depth - level, depth - 1, lead.number))
            if crossing:
                aliases.append(Alias(depth - level, depth, lead.path))
        self.waiting.clear()
        return tuple(aliases)
