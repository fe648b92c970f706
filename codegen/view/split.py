"""How an object is taken apart for a call: into the donated leaves, the kept ones, and what is no leaf.

u: donated[f32[n]]            ->    donated.append(obj.u)
a, b: dynamic[f32[n]]         ->    kept += (obj.a, obj.b)
inputs: dynamic[Inputs]       ->    inputs = split(obj.inputs, kept, kept)
"""

from __future__ import annotations

from codegen.view import shares
from codegen.view.dynamics import is_leaf
from codegen.view.kinds import Kind
from codegen.view.layout import Node, call, flat, signature, statement, subscript, tuple_of
from codegen.view.names import Names, local
from codegen.view.nodes import SplitView


def split_view(kind: Kind, names: Names) -> SplitView:
    """Write the function of a class with arrays."""
    name = kind.node.ref.name
    lines: list[str] = []
    leaves: dict[str, list[str]] = {"donated": [], "kept": []}
    keys = ["obj.__codegen_key__"]
    variables = {"obj", "donated", "kept"}
    borrowed = shares.borrowed_paths(kind.node)
    for field in kind.traced_fields:
        target = "donated" if field.role == "donated" else "kept"
        if any(not path for path, _ in borrowed.get(field.name, [])):
            continue
        if is_leaf(field.type):
            leaves[target].append(f"obj.{field.name}")
        else:
            lines += _appended(leaves)
            # A class's own function will not do: `optax.masked` leaves a node of its own in
            # the place of a part that its mask excludes as a whole.
            if field.name in borrowed:
                split = names.runtime("sharing", "split_borrower")
            else:
                split = names.runtime("split", "split")
            variable = local(field.name, variables)
            child = shares.child(field.name, kind.node, names)
            lines.append(statement(f"{variable} = ", call(split, child, target, "kept"), 4))
            keys.append(variable)
    lines += _appended(leaves)
    result: Node = tuple_of(*keys) if len(keys) > 1 else keys[0]
    any_name = names.use("typing", "Any")
    dots = [any_name] * len(kind.node.type_parameters)
    cls = flat(subscript(name, *dots)) if dots else name
    list_type = f"{names.builtin('list')}[{any_name}]"
    parameters = [f"obj: {cls}", f"donated: {list_type}", f"kept: {list_type}"]
    tail = f") -> {names.use('collections.abc', 'Hashable')}:"
    return SplitView(
        signature=signature(f"def _codegen_split_{name}(", parameters, tail, 0),
        statements=tuple(lines),
        result=statement("return ", result, 4),
    )


def _appended(leaves: dict[str, list[str]]) -> list[str]:
    """Write what appends the leaves found so far, and forget them."""
    lines: list[str] = []
    for target, found in leaves.items():
        if len(found) == 1:
            lines.append(statement("", call(f"{target}.append", *found), 4))
        elif found:
            lines.append(statement(f"{target} += ", tuple_of(*found), 4))
        found.clear()
    return lines
