"""Graph algorithms: topological order, cycles, and fixed points."""

from __future__ import annotations

from codegen.program.graph import (
    ClassGraph,
    FixedPoint,
    Lookup,
    components,
    cycles,
    reachable,
    shortest_cycle,
)

EDGES = {"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": [], "e": ["e"]}
LENGTH = 3000  # longer than Python's stack


def test_reachable_is_nearest_first() -> None:
    assert [*reachable(["b"], EDGES.__getitem__)] == ["b", "c", "a", "d"]


def test_cycles_are_found() -> None:
    assert cycles(EDGES) == [["a", "b"], ["e"]]
    assert shortest_cycle(EDGES, ["a", "b"]) == ["a", "b", "a"]


def test_containers_of_a_subclass_of_an_abstract_class_are_found_at_any_depth() -> None:
    base = {"abstract": None, "middle": "abstract", "leaf": "middle", "holder": None, "other": None}
    contents = {**dict.fromkeys(base, ()), "holder": (("dynamic", "abstract"),)}
    contents["other"] = (("static", "holder"),)
    graph = ClassGraph(base, contents, frozenset(("abstract",)))
    assert [*graph.propagate(["leaf"], "dynamic")] == ["leaf", "abstract", "holder"]
    assert "other" in graph.propagate(["leaf"], "dynamic", "static")
    assert [*graph.held_classes(["holder"], "dynamic")] == ["holder", "abstract", "middle", "leaf"]


def test_a_long_chain_is_ordered() -> None:
    order = components({node: [node + 1] * (node < LENGTH) for node in range(LENGTH + 1)})
    assert order == [[node] for node in range(LENGTH, -1, -1)]


def test_a_fixed_point_of_a_cycle() -> None:
    def names(node: str, known: Lookup[str, frozenset[str]]) -> frozenset[str]:
        return frozenset(node).union(*(known(inner) for inner in EDGES[node]))

    found = FixedPoint(frozenset[str](), names)
    assert found.of("a") == found.of("b") == {"a", "b", "c", "d"}
    assert found.of("e") == {"e"}


def test_a_fixed_point_of_a_long_chain() -> None:
    calls: list[int] = []

    def distance(node: int, known: Lookup[int, int]) -> int:
        calls.append(node)
        return known(node + 1) + 1 if node < LENGTH else 1

    assert FixedPoint(0, distance).of(0) == LENGTH + 1
    assert len(calls) <= 3 * LENGTH
