"""Refuse classes whose field types a library reads: generated classes have them as strings.

    class System(mjx.Model):        mjx treats a field as a leaf if its annotation is `jax.Array`,
        link: Link                  or a dataclass that has such a field

asked(found, names)    ->    {"brax.base.Link": ClassRefusal("field types", ...)}
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopted.finding.names import PackageNames, unquoted
from codegen.adopted.finding.nodes import ClassRefusal, Found
from codegen.adopted.finding.reasons import refusal

_ASKING = ("mujoco.mjx.",)
"""The libraries whose bases do so."""


def asked(found: Found, names: PackageNames) -> dict[str, ClassRefusal]:
    """Return the classes that fields of such a class refer to, directly or through other fields."""
    waiting = [
        (name, f"{module.name}.{node.name}")
        for module in found.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        and any(names.resolve(module.name, base).startswith(_ASKING) for base in node.bases)
        for field in node.body
        if isinstance(field, ast.AnnAssign)
        for name in _named(field.annotation, module.name, names)
    ]
    refused: dict[str, ClassRefusal] = {}
    while waiting:
        name, holder = waiting.pop()
        one = found.classes.get(name)
        if one is None or name in refused:
            continue
        refused[name] = refusal("field types", one.line, holder=holder)
        waiting += [
            (inner, holder)
            for field in one.fields
            for inner in _named(field.annotation, field.module, names)
        ]
    return refused


def _named(annotation: ast.expr, module: str, names: PackageNames) -> Iterator[str]:
    """Yield the absolute names in an annotation, also in quoted parts."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name | ast.Attribute):
            yield names.resolve(module, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parsed = unquoted(node.value)
            if parsed is not None and not isinstance(parsed, ast.Constant):
                yield from _named(parsed, module, names)
