"""Declared sharing: the first path owns a part, the other paths borrow it.

share(embed, encoder.embed)    ->    children hollow(obj, (obj.embed, obj.encoder)), linked again
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.check.contents import ObjectContents
from codegen.emit.class_traits import ClassTraits
from codegen.emit.conversions import Conversions
from codegen.emit.expressions import call, list_of, py_str, tuple_of
from codegen.emit.names import ModuleNames
from codegen.emit.view import Statement
from codegen.program.nodes import Class
from codegen.program.types import Array


def children_expression(traits: ClassTraits) -> str:
    """Return the children for the fields in the flattened tree."""
    held = tuple_of(*(f"obj.{f.name}" for f in traits.traced_fields))
    return call("_rt.hollow", "obj", held) if traits.node.shares else held


def relink_calls(traits: ClassTraits) -> Iterator[str]:
    """Yield the calls that fill the holes of a new object."""
    if traits.node.shares:
        yield call("_rt.relink", "obj")


def format_alias_groups(node: Class) -> str:
    """Format the rows of a class: the paths of each shared part, the owner's first."""
    return list_of(*(tuple_of(*row) for row in _alias_groups(node)))


def _alias_groups(node: Class) -> list[list[str]]:
    return [[tuple_of(*map(py_str, path.parts)) for path in s.paths] for s in node.shares]


def sharing_checks(node: Class, obj: str) -> Iterator[str]:
    """Yield the calls that refuse different parts at shared paths."""
    for row in _alias_groups(node):
        yield call("_rt.require_shared", obj, *row)


def rebind_statements(
    traits: ClassTraits, names: ModuleNames, contents: ObjectContents, self: str
) -> tuple[Statement, ...]:
    """Return, for `replace`, the statements that rebind every path when an owner is replaced."""
    node = traits.node
    heads = dict.fromkeys(path.parts[0] for share in node.shares for path in share.paths)
    if len(heads) < 2:
        # All paths are in one field, which is either unchanged or given.
        return ()
    value = call("_rt.rebind", self, *(f"{name}={name}" for name in heads))
    # Convert shared numbers first: otherwise each path would create its own array.
    owner = f"{names.builtin('type')}({self})"
    conversions = Conversions(names, contents, owner, frozenset())
    owners = {share.paths[0].parts for share in node.shares}
    arrays = [f for f in node.fields if (f.name,) in owners and isinstance(f.type, Array)]
    steps = (conversions.traced(f.name, f.type) for f in arrays)
    return (*(one for one in steps if one), Statement("", ", ".join(heads), value))
