"""Classes that hold themselves and each other."""

from codegen.schema import dynamic, f32, static

class Node:
    value: dynamic[f32]
    next: dynamic[Node | None] = None
    children: dynamic[tuple[Node, ...]] = ()
    friends: dynamic[dict[str, Friend]]

class Friend:
    nodes: dynamic[list[Node]]
    tags: static[tuple[Tag, ...]] = ()

class Tag:
    inner: static[Tag | None] = None
    many: static[tuple[Tag, ...]] = ()
