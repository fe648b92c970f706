"""Check `__eq__` and `__hash__` methods that ignore a part of the data, such as a comparison of hashes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.soundness.finding import UnsoundFinding

_COARSE = {"hash": "hashes", "__hash__": "hashes", "id": "identities", "len": "lengths"}
_WHOLE = ("__dict__", "__slots__", "vars", "fields", "astuple", "asdict", "tree_leaves", "super")


def check(found: FoundClasses, _: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each class whose `__eq__` compares less than its fields."""
    for module in found.modules.values():
        for node in module.tree.body:
            method = _equality(node)
            if not isinstance(node, ast.ClassDef) or method is None:
                continue
            reason, field = _ignored_part(node, method)
            if reason:
                yield UnsoundFinding(
                    rule="coarse equality",
                    name=f"{module.name}.{node.name}",
                    field=field,
                    path=module.path,
                    line=method.lineno,
                    why=f"`{method.name}` {reason}: JAX takes two static values for one if they are "
                    "equal, and then runs the program of the first for the second",
                    instead="an `__eq__` that compares the values of all fields, or a generated static class",
                )


def _equality(node: ast.stmt) -> ast.FunctionDef | None:
    body = node.body if isinstance(node, ast.ClassDef) else []
    methods = {one.name: one for one in body if isinstance(one, ast.FunctionDef)}
    return methods.get("__eq__")


def _ignored_part(node: ast.ClassDef, method: ast.FunctionDef) -> tuple[str, str]:
    """Return how the method ignores data, and the first ignored field; both empty if it does not."""
    names = [_called_name(one) for one in ast.walk(method) if isinstance(one, ast.Call)]
    for name in names:
        if name in _COARSE:
            return f"compares {_COARSE[name]}", ""
    read = {one.attr for one in ast.walk(method) if isinstance(one, ast.Attribute)}
    if not read.isdisjoint(_WHOLE) or not set(names).isdisjoint(_WHOLE):
        return "", ""
    fields = [
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if "ClassVar" not in ast.unparse(one.annotation)
    ]
    ignored = [name for name in fields if name not in read]
    if not ignored or len(ignored) == len(fields):
        return "", ""
    return f"ignores `{ignored[0]}`", ignored[0]


def _called_name(call: ast.Call) -> str:
    """Return the last part of the name of the called function."""
    function = call.func
    return getattr(function, "id", "") or getattr(function, "attr", "")
