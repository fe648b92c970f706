"""The tree of a stub as text, one node a line, for `codegen show --stage syntax`.

Module 1:1 doc=""
  Assign 1:1 name="nx" doc="cells"
    value: Call 1:6
      function: Name 1:6 id="Dim"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, cast

from codegen.node import said_fields
from codegen.source import Source
from codegen.syntax import nodes

_INDENT = "  "

_Node: TypeAlias = (
    nodes.Module
    | nodes.Stmt
    | nodes.Expr
    | nodes.Keyword
    | nodes.Parameter
    | nodes.ImportedName
    | nodes.Ignore
    | nodes.Rename
)


def show(module: nodes.Module) -> str:
    """The whole tree, in ASCII."""
    return "".join(f"{line}\n" for line in _lines(module.source, module, ""))


def _lines(source: Source, node: _Node, title: str) -> Iterator[str]:
    scalars: list[str] = []
    children: list[tuple[str, _Node]] = []
    for name in said_fields(type(node)):
        value: object = getattr(node, name)
        if _is_scalar(node, value):
            scalars.append(f" {name}={value!a}")
        elif isinstance(value, tuple):
            # The statements of a body go without its name.
            below = "" if name == "body" else f"{name}: "
            children += [(below, child) for child in _flat(value)]
        elif value is not None:
            children.append((f"{name}: ", cast("_Node", value)))
    yield f"{title}{type(node).__name__}{_place(source, node)}{''.join(scalars)}"
    for below, child in children:
        yield from (_INDENT + shown for shown in _lines(source, child, below))


def _flat(values: object) -> Iterator[_Node]:
    """The nodes of a tuple; those of a pair, as a dict has them, one after the other."""
    for value in cast("tuple[object, ...]", values):
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield cast("_Node", value)


def _place(source: Source, node: _Node) -> str:
    """Where a node stands."""
    line, column = source.position(node.span.start)
    return f" {line}:{column}"


def _is_scalar(node: _Node, value: object) -> bool:
    """Whether a field holds a plain value, which is shown in the line of its node."""
    if isinstance(node, nodes.Constant):
        return True
    return isinstance(value, str | int) or isinstance(node, nodes.Ignore | nodes.Rename)
