"""Declared sharing: what the first path owns, the others borrow.

share(embed, encoder.embed)    ->    children (obj.embed, unlink(obj.encoder, obj.embed, "embed")), linked anew
"""

from __future__ import annotations

from codegen.program.nodes import Class
from codegen.program.types import Array
from codegen.view.dynamics import DynamicWriter
from codegen.view.kinds import Kind
from codegen.view.layout import Bracket, Node, call, statement, tuple_of
from codegen.view.literals import py_str
from codegen.view.names import Names


def borrowed_paths(node: Class) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Return, by field, the paths below it that borrow, each with its owner's; an empty one is the field."""
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for share in node.shares:
        owner, *borrowers = share.paths
        for path in borrowers:
            found.setdefault(path.parts[0], []).append((path.parts[1:], owner.parts))
    return found


def child(name: str, node: Class, names: Names) -> Node:
    """Write the child that stands for a field in the flattened tree."""
    held: Node = f"obj.{name}"
    for path, (field, *below) in borrowed_paths(node).get(name, []):
        part: Node = f"obj.{field}"
        if below:
            part = call(names.runtime("sharing", "get"), part, *map(py_str, below))
        held = call(names.runtime("sharing", "unlink"), held, part, *map(py_str, path))
    return held


def _rows(node: Class) -> list[list[Node]]:
    return [[tuple_of(*map(py_str, path.parts)) for path in s.paths] for s in node.shares]


def registered(node: Class) -> tuple[Node, ...]:
    """Write the argument that makes the sharing known to the support package, if there is any."""
    rows = tuple(tuple_of(*row) for row in _rows(node))
    return (Bracket("shares=[", rows, "]"),) if rows else ()


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


def converted(kind: Kind, names: Names, self: str) -> tuple[str, ...]:
    """Write, for `replace`, what converts numbers: each path would make an array of its own of one."""
    owner = f"{names.builtin('type')}({self})"
    # What the constructor needs beside the class is there by now.
    writer = DynamicWriter(names, owner, kind.node.ref.name, "array", [], 8)
    owners = {share.paths[0].parts for share in kind.node.shares}
    return tuple(
        line
        for field in kind.node.fields
        if (field.name,) in owners and isinstance(field.type, Array)
        for line in writer.convert(field.name, field.type)
    )


def rebound(node: Class, names: Names, self: str) -> tuple[str, ...]:
    """Write, for `replace`, the statements that rebind every path when the owner is replaced."""
    lines: list[str] = []
    for share in node.shares:
        head, *rest = share.paths[0].parts
        part: Node = head
        if rest:
            part = call(names.runtime("sharing", "get"), head, *map(py_str, rest))
        borrowed: dict[str, list[str]] = {}
        for field, *below in (path.parts for path in share.paths[1:]):
            link = call(names.runtime("sharing", "link"), field, part, *map(py_str, below))
            borrowed.setdefault(field, []).append(statement(f"{field} = ", link, 12))
        for field, links in borrowed.items():
            if field != head:
                condition = f"{head} is not {self}.{head} and {field} is {self}.{field}"
                lines += [f"        if {condition}:", *links]
    return tuple(lines)
