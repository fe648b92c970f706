"""Declared sharing: what the first path owns, the others borrow.

share(embed, encoder.embed)    ->    children hollow(obj, (obj.embed, obj.encoder)), linked anew
"""

from __future__ import annotations

from codegen.program.nodes import Class
from codegen.program.types import Array
from codegen.view.dynamics import DynamicWriter
from codegen.view.kinds import Kind
from codegen.view.layout import Bracket, Node, call, statement, tuple_of
from codegen.view.literals import py_str
from codegen.view.names import Names


def borrowed(node: Class) -> set[str]:
    """Return the fields whose values are owned elsewhere."""
    paths = [path.parts for share in node.shares for path in share.paths[1:]]
    return {parts[0] for parts in paths if len(parts) == 1}


def hollow(node: Class) -> set[str]:
    """Return the fields whose values may have holes: a shared path leads there."""
    return {path.parts[0] for share in node.shares for path in share.paths}


def children(kind: Kind, names: Names) -> Node:
    """Write the children that stand for the fields in the flattened tree."""
    held = tuple_of(*(f"obj.{f.name}" for f in kind.traced_fields))
    return (
        call(names.runtime("sharing.sharing", "hollow"), "obj", held) if kind.node.shares else held
    )


def _rows(node: Class) -> list[list[Node]]:
    return [[tuple_of(*map(py_str, path.parts)) for path in s.paths] for s in node.shares]


def registered(node: Class, names: Names) -> tuple[Node, ...]:
    """Write the arguments that make the sharing known to the support package, if there is any."""
    if not node.shares:
        return ()
    rows = tuple(tuple_of(*row) for row in _rows(node))
    return Bracket("shares=[", rows, "]"), f"relink={names.runtime('sharing.sharing', 'relink')}"


def required(node: Class, names: Names, self: str) -> tuple[str, ...]:
    """Write the statements that refuse different parts at shared paths."""
    return tuple(
        statement("", call(names.runtime("sharing.sharing", "require_shared"), self, *row), 8)
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


def rebound(
    node: Class, names: Names, self: str, variable: str
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Write, for `replace`, what rebinds every path when an owner is replaced, and the fields then."""
    heads = dict.fromkeys(path.parts[0] for share in node.shares for path in share.paths)
    if len(heads) < 2:
        # All of it lies in one field, and is as it was or as it was given.
        return (), {}
    made = call(
        names.runtime("sharing.sharing", "rebind"), self, *(f"{name}={name}" for name in heads)
    )
    fields = {name: f"{variable}[{py_str(name)}]" for name in heads}
    return (statement(f"{variable} = ", made, 8),), fields
