"""How an object is taken apart for a call: into the donated leaves, the kept ones, and what is no leaf.

u: donated[f32[n]]            ->    donated.append(obj.u)
a, b: dynamic[f32[n]]         ->    kept += (obj.a, obj.b)
inputs: dynamic[Inputs]       ->    inputs = split(obj.inputs, kept, kept)
"""

from __future__ import annotations

from codegen.view import shares
from codegen.view.annotations import erased
from codegen.view.dynamics import is_leaf
from codegen.view.kinds import Kind
from codegen.view.layout import Node, call, signature, statement, tuple_of
from codegen.view.names import Names, local
from codegen.view.nodes import SplitView


def split_view(kind: Kind, names: Names) -> SplitView:
    """Write the function of a class with arrays."""
    name = kind.node.ref.name
    lines: list[str] = []
    leaves: dict[str, list[str]] = {"donated": [], "kept": []}
    borrowed, hollow = shares.borrowed(kind.node), shares.hollow(kind.node)
    keys = ["obj.__codegen_key__"]
    variables = {"obj", "donated", "kept"}
    traced = {f.name: f for f in kind.traced_fields if f.name not in borrowed}
    hollow &= {name for name, f in traced.items() if not is_leaf(f.type)}
    children = local("children", variables | {*traced})
    if hollow:
        lines.append(statement(f"{children} = ", shares.children(kind, names), 4))
    for number, field in enumerate(kind.traced_fields):
        target = "donated" if field.role == "donated" else "kept"
        if field.name not in traced:
            continue
        if is_leaf(field.type):
            leaves[target].append(f"obj.{field.name}")
        else:
            lines += _appended(leaves)
            # A class's own function will not do: `optax.masked` leaves a node of its own in
            # the place of a part that its mask excludes as a whole.
            given = [f"obj.{field.name}", target, "kept"]
            if field.name in hollow:
                given = [f"{children}[{number}]", *given]
                split = names.runtime("sharing.sharing", "split_borrower")
            else:
                split = names.runtime("classes.split", "split")
            variable = local(field.name, variables)
            lines.append(statement(f"{variable} = ", call(split, *given), 4))
            keys.append(variable)
    lines += _appended(leaves)
    result: Node = tuple_of(*keys) if len(keys) > 1 else keys[0]
    any_name = names.use("typing", "Any")
    list_type = f"{names.builtin('list')}[{any_name}]"
    parameters = [f"obj: {erased(kind.node, names)}", f"donated: {list_type}", f"kept: {list_type}"]
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
