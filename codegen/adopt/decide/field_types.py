"""Refuse classes whose field types a library reads: generated classes have them as strings.

    class System(mjx.Model):        mjx treats a field as a leaf if its annotation is `jax.Array`,
        link: Link                  or a dataclass that has such a field

asked(found, names)    ->    {"brax.base.Link": ClassRefusal("field types", ...)}
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.names import PackageNames, parse_quoted
from codegen.adopt.find.nodes import ClassRefusal, FoundClasses
from codegen.adopt.find.reasons import refusal

_TYPE_READERS = ("mujoco.mjx.",)
"""The libraries whose bases do so."""


def find_string_readers(found: FoundClasses, names: PackageNames) -> dict[str, ClassRefusal]:
    """Return the classes that fields of such a class refer to, directly or through other fields."""
    waiting = [
        (name, f"{module.name}.{node.name}")
        for module in found.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        and any(names.resolve(module.name, base).startswith(_TYPE_READERS) for base in node.bases)
        for field in node.body
        if isinstance(field, ast.AnnAssign)
        for name in _names_in_annotation(field.annotation, module.name, names)
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
            for inner in _names_in_annotation(field.annotation, field.module, names)
        ]
    return refused


def _names_in_annotation(annotation: ast.expr, module: str, names: PackageNames) -> Iterator[str]:
    """Yield the absolute names in an annotation, also in quoted parts."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name | ast.Attribute):
            yield names.resolve(module, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parsed = parse_quoted(node.value)
            if parsed is not None and not isinstance(parsed, ast.Constant):
                yield from _names_in_annotation(parsed, module, names)
