"""The graph of a program's classes, and the algorithms for this and other graphs.

    components({"a": ["b"], "b": ["a", "c"], "c": []})      ->    [["c"], ["a", "b"]]
    reachable(["a"], {"a": ["b"], "b": ["a"]}.__getitem__)  ->    {"a": None, "b": None}

No function here recurses: a chain of classes may be longer than Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

Node = TypeVar("Node")
Value = TypeVar("Value")


class ClassGraph(Struct, Generic[Node], frozen=True, dict=True):
    """The classes of a program: the bases of each, and the classes that each contains."""

    base: Mapping[Node, Node | None]
    # The classes in the types of a class's fields, with the role of each field.
    contents: Mapping[Node, Sequence[tuple[str, Node]]]
    abstract: frozenset[Node]

    def bases(self, node: Node) -> list[Node]:
        """Return all bases of a class, nearest first."""
        chain: list[Node] = []
        base = self.base[node]
        while base is not None:
            chain.append(base)
            base = self.base[base]
        return chain

    @cached_property
    def children(self) -> Mapping[Node, list[Node]]:
        """The direct subclasses of each class."""
        children: dict[Node, list[Node]] = {node: [] for node in self.base}
        for node, base in self.base.items():
            if base is not None:
                children[base].append(node)
        return children

    def subclasses(self, node: Node) -> list[Node]:
        """Return all subclasses of a class, nearest first."""
        return [*reachable(self.children[node], self.children.__getitem__)]

    def contained_classes(self, node: Node, *roles: str) -> list[Node]:
        """Return the classes in the fields of a class that have one of these roles."""
        return [inner for role, inner in self.contents[node] if role in roles]

    def contained_by(self, *roles: str) -> dict[Node, list[Node]]:
        """Return, for each class, the classes that contain it in fields with one of these roles."""
        if roles not in self._contained_by:
            containers: dict[Node, list[Node]] = {node: [] for node in self.base}
            for node in self.base:
                for inner in self.contained_classes(node, *roles):
                    containers[inner].append(node)
            self._contained_by[roles] = containers
        return self._contained_by[roles]

    @cached_property
    def _contained_by(self) -> dict[tuple[str, ...], dict[Node, list[Node]]]:
        """Compute `contained_by` for each set of roles once."""
        return {}

    def held_classes(self, nodes: Iterable[Node], *roles: str) -> dict[Node, None]:
        """Return classes, their subclasses, and what they contain in such fields, at any depth."""
        return reachable(
            nodes, lambda node: [*self.children[node], *self.contained_classes(node, *roles)]
        )

    def propagate(self, nodes: Iterable[Node], *roles: str) -> dict[Node, None]:
        """Return classes and all classes that contain one of them in a field with such a role, at
        any depth.

        A field of an abstract class contains the subclasses of that class.
        """
        holders = self.contained_by(*roles)
        return reachable(
            nodes,
            lambda node: [*holders[node], *(b for b in self.bases(node) if b in self.abstract)],
        )


def reachable(
    starts: Iterable[Node], targets: Callable[[Node], Iterable[Node]]
) -> dict[Node, None]:
    """Return the nodes that are reachable from some nodes, these included, nearest first."""
    reached = dict.fromkeys(starts)
    waiting = list(reached)
    for node in waiting:
        for target in targets(node):
            if target not in reached:
                reached[target] = None
                waiting.append(target)
    return reached


Lookup: TypeAlias = Callable[[Node], Value]
"""Gives what is known of another node so far."""


class FixedPoint(Generic[Node, Value]):
    """Values that depend on each other, in cycles too. Each is found when it is first asked for.

        def depth(node, known): return 1 + max((known(inner) for inner in held[node]), default=0)
        FixedPoint(0, depth).of("a")

    Every value starts at `bottom`. A value is computed again when a value that it depends on
    changes. So a value must only ever grow (or only shrink) when the values that it depends on do.
    """

    def __init__(
        self, bottom: Value, compute: Callable[[Node, Lookup[Node, Value]], Value]
    ) -> None:
        self._bottom = bottom
        self._compute = compute
        self._values: dict[Node, Value] = {}
        self._asked_by: dict[Node, dict[Node, None]] = {}
        self._waiting: dict[Node, None] = {}

    def of(self, node: Node) -> Value:
        """Return the value of a node."""
        self._known(None, node)
        while self._waiting:
            current = next(reversed(self._waiting))
            value = self._compute(current, partial(self._known, current))
            if next(reversed(self._waiting)) != current:
                continue  # New nodes come first, so that a chain takes two rounds.
            del self._waiting[current]
            if value != self._values[current]:
                self._values[current] = value
                self._waiting |= self._asked_by.pop(current, {})
        return self._values[node]

    def _known(self, asker: Node | None, node: Node) -> Value:
        if node not in self._values:
            self._values[node] = self._bottom
            self._waiting[node] = None
        if asker is not None:
            self._asked_by.setdefault(node, {})[asker] = None
        return self._values[node]


def cycles(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Return the components that are cycles, a node that points to itself included."""
    return [one for one in components(edges) if len(one) > 1 or one[0] in edges[one[0]]]


def shortest_cycle(edges: Mapping[Node, Sequence[Node]], group: Sequence[Node]) -> list[Node]:
    """Return the shortest path from the first node of a cyclic component back to it."""
    start = group[0]
    paths = [[start]]
    seen: set[Node] = set()
    for path in paths:
        for target in edges[path[-1]]:
            if target == start:
                return [*path, start]
            if target in group and target not in seen:
                seen.add(target)
                paths.append([*path, target])
    raise AssertionError(start)


def components(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Return the strongly connected components, each after those that it points to.

    The nodes of one component have the order of `edges`. The algorithm is Tarjan's (SIAM J. Comput. 1, 1972);
    `graphlib` refuses graphs with cycles.
    """
    position = {node: i for i, node in enumerate(edges)}
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    groups: list[list[Node]] = []
    for root in edges:
        if root in index:
            continue
        work: list[tuple[Node, int]] = [(root, 0)]
        while work:
            node, step = work.pop()
            if step == 0:
                index[node] = low[node] = len(index)
                open_nodes.append(node)
                is_open.add(node)
            elif edges[node][step - 1] in is_open:
                low[node] = min(low[node], low[edges[node][step - 1]])
            for i in range(step, len(edges[node])):
                target = edges[node][i]
                if target not in index:
                    work += [(node, i + 1), (target, 0)]
                    break
                if target in is_open:
                    low[node] = min(low[node], index[target])
            else:
                if low[node] == index[node]:
                    cut = _last_index(open_nodes, node)
                    members, open_nodes[cut:] = open_nodes[cut:], []
                    is_open.difference_update(members)
                    groups.append(sorted(members, key=position.__getitem__))
    return groups


def _last_index(nodes: list[Node], wanted: Node) -> int:
    """Search from the end, where the wanted node nearly always is."""
    return next(i for i in range(len(nodes) - 1, -1, -1) if nodes[i] == wanted)
