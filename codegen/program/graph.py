"""Strongly connected components, which put a graph with cycles into an order.

    components({"a": ["b"], "b": ["a", "c"], "c": []})    ->    [["c"], ["a", "b"]]

Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), without recursion, since a
chain of classes may be longer than Python's stack. `graphlib` refuses graphs with cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node")


def components(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Return the components, what a node points to before the node; within one, in the order of `edges`."""
    position = {node: i for i, node in enumerate(edges)}
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    found: list[list[Node]] = []
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
                    cut = _last(open_nodes, node)
                    members, open_nodes[cut:] = open_nodes[cut:], []
                    is_open.difference_update(members)
                    found.append(sorted(members, key=position.__getitem__))
    return found


def _last(nodes: list[Node], wanted: Node) -> int:
    """Search from the end, where the wanted node nearly always is."""
    return next(i for i in range(len(nodes) - 1, -1, -1) if nodes[i] == wanted)
