"""Declared sharing: what the first path owns, the others borrow.

share(embed, encoder.embed)    ->    children (obj.embed, unlink(obj.encoder, "embed")), linked again when unflattened
"""

from __future__ import annotations

from codegen.program.nodes import Class
from codegen.view.layout import Node, call, statement, tuple_of
from codegen.view.literals import py_str
from codegen.view.names import Names


def borrowed_paths(node: Class) -> dict[str, list[tuple[str, ...]]]:
    """Return, by field, the paths below it that borrow; an empty path is the field itself."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for share in node.shares:
        for path in share.paths[1:]:
            found.setdefault(path.parts[0], []).append(path.parts[1:])
    return found


def child(name: str, node: Class, names: Names) -> str:
    """Write the child that stands for a field in the flattened tree."""
    text = f"obj.{name}"
    for path in borrowed_paths(node).get(name, []):
        if not path:
            return names.runtime("sharing", "HOLE")
        unlink = names.runtime("sharing", "unlink")
        text = f"{unlink}({text}, {', '.join(map(py_str, path))})"
    return text


def _rows(node: Class) -> list[list[Node]]:
    return [[tuple_of(*map(py_str, path.parts)) for path in s.paths] for s in node.shares]


def relinked(node: Class, names: Names) -> tuple[str, ...]:
    """Write the statements that fill the holes of a new object."""
    return tuple(
        statement("", call(names.runtime("sharing", "relink"), "obj", *row), 4)
        for row in _rows(node)
    )


def required(node: Class, names: Names, self: str) -> tuple[str, ...]:
    """Write the statements that refuse different parts at shared paths."""
    return tuple(
        statement("", call(names.runtime("sharing", "require_shared"), self, *row), 8)
        for row in _rows(node)
    )


def rebound(node: Class, names: Names, self: str) -> tuple[str, ...]:
    """Write, for `replace`, the statements that rebind every path when the owner is replaced."""
    lines: list[str] = []
    for share in node.shares:
        head, *rest = share.paths[0].parts
        part: Node = head
        if rest:
            part = call(names.runtime("sharing", "get"), head, *map(py_str, rest))
        for path in share.paths[1:]:
            field, *below = path.parts
            if field == head:
                continue
            link = call(names.runtime("sharing", "link"), field, part, *map(py_str, below))
            lines += [
                f"        if {head} is not {self}.{head} and {field} is {self}.{field}:",
                statement(f"{field} = ", link, 12),
            ]
    return tuple(lines)
