"""How an object is taken apart for a call: into the donated leaves, the kept ones, and what is no leaf.

u: donated[f32[n]]            ->    donated.append(obj.u)
a, b: dynamic[f32[n]]         ->    kept += (obj.a, obj.b)
inputs: dynamic[Inputs]       ->    inputs = split(obj.inputs, kept, kept)
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.view import shares
from codegen.view.annotations import erased
from codegen.view.dynamics import is_leaf
from codegen.view.expressions import call, tuple_of
from codegen.view.kinds import Kind
from codegen.view.names import Names, local
from codegen.view.nodes import SplitView, Step


def split_view(kind: Kind, names: Names) -> SplitView:
    """Write the function of a class with arrays."""
    steps: list[Step] = []
    leaves: dict[str, list[str]] = {"donated": [], "kept": []}
    borrowed, hollow = shares.borrowed(kind.node), shares.hollow(kind.node)
    keys = ["obj.__codegen_key__"]
    variables = {"obj", "donated", "kept"}
    traced = {f.name: f for f in kind.traced_fields if f.name not in borrowed}
    hollow &= {name for name, f in traced.items() if not is_leaf(f.type)}
    children = local("children", variables | {*traced})
    if hollow:
        steps.append(Step("", children, shares.children(kind, names)))
    for number, field in enumerate(kind.traced_fields):
        target = "donated" if field.role == "donated" else "kept"
        if field.name not in traced:
            continue
        if is_leaf(field.type):
            leaves[target].append(f"obj.{field.name}")
        else:
            steps += _appended(leaves)
            # A class's own function will not do: `optax.masked` leaves a node of its own in
            # the place of a part that its mask excludes as a whole.
            given = [f"obj.{field.name}", target, "kept"]
            split = "split"
            if field.name in hollow:
                given = [f"{children}[{number}]", *given]
                split = "split_borrower"
            function = names.runtime("sharing" if field.name in hollow else "split", split)
            variable = local(field.name, variables)
            steps.append(Step("", variable, call(function, *given)))
            keys.append(variable)
    steps += _appended(leaves)
    return SplitView(
        n=names.used(("builtins", "list"), ("typing", "Any"), ("collections.abc", "Hashable")),
        name=kind.node.ref.name,
        cls=erased(kind.node, names),
        steps=tuple(steps),
        structure=tuple_of(*keys) if len(keys) > 1 else keys[0],
    )


def _appended(leaves: dict[str, list[str]]) -> Iterator[Step]:
    """Write what appends the leaves found so far, and forget them."""
    for target, found in leaves.items():
        if len(found) == 1:
            yield Step("", "", call(f"{target}.append", *found))
        elif found:
            yield Step("", "", call(f"{target}.extend", tuple_of(*found)))
        found.clear()
