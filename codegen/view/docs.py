"""Docstrings of the generated code, made of what the author wrote and what the schema says.

class Grid: nx: static[int]  # cells along x    ->    "...Static fields: nx: int, cells along x"
"""

from __future__ import annotations

import re

from codegen.program.nodes import Class, Enum, Field, Function
from codegen.program.show import type_text
from codegen.view.layout import Bracket, Node
from codegen.view.literals import doc_lines, paragraph, py_str

_WIDTH = 88
_STATIC_USE = (
    "Static: compared and hashed by value. Pass it to `jax.jit` as a static argument or as an "
    "ordinary one; either way its value is part of the trace key."
)
_DYNAMIC_USE = "A pytree: pass it to `jax.jit`, `grad` and `vmap` as an ordinary argument."
_ABSTRACT_USE = "Abstract: a field of this type holds an object of any subclass."
_ROLES = (
    ("donated", "Donated fields, whose buffers a function may consume:"),
    ("dynamic", "Dynamic fields:"),
    ("static", "Static fields, part of the trace key:"),
)
_SHARED = "Shared parts, each one object under all of its paths:"


def class_doc(node: Class, *, is_static: bool) -> list[str]:
    """Say what a class is, how it is meant to be used, and what each field is."""
    use = _STATIC_USE if is_static else _DYNAMIC_USE
    if node.abstract:
        use = f"{_ABSTRACT_USE} {use}"
    lines = doc_lines(node.doc) or [f"{node.ref.name}."]
    lines += ["", *paragraph(use, _WIDTH - 4)]
    for role, title in _ROLES:
        fields = [f for f in node.fields if f.role == role]
        if fields:
            lines += ["", title]
            for field in fields:
                lines += _field(field)
    if node.shares:
        lines += ["", _SHARED]
        for share in node.shares:
            paths = ", ".join(".".join(path.parts) for path in share.paths)
            lines += ["    " + line for line in paragraph(paths, _WIDTH - 8, "    ")]
    return lines


def _field(field: Field) -> list[str]:
    text = f"{field.name} ({type_text(field.type)})"
    if field.doc:
        text += f": {field.doc}"
    return ["    " + line for line in paragraph(text, _WIDTH - 8, "    ")]


def documented(node: Class) -> list[Node]:
    """Write the argument that makes the documentation of fields known to `dataclasses.fields`."""
    entries = [_entry(py_str(f.name), f.doc) for f in node.fields if f.doc]
    return [Bracket("docs={", tuple(entries), "}")] if entries else []


def _entry(key: str, text: str) -> str:
    """Write an item of the dict; a text that is too long in parts, at spaces, as `ruff format` leaves it."""
    line = f"{key}: {py_str(text)}"
    if 8 + len(line) + 1 <= _WIDTH:
        return line
    parts = [""]
    for word in re.findall(r"\S*\s*", text):
        if parts[-1] and 12 + len(py_str(parts[-1] + word)) > _WIDTH:
            parts.append("")
        parts[-1] += word
    if len(parts) == 1 and 12 + len(py_str(text)) > _WIDTH:
        return line
    return "\n".join([f"{key}: (", *(f"            {py_str(p)}" for p in parts), "        )"])


def enum_doc(node: Enum) -> list[str]:
    """Say what an enum is, and what those of its members mean that are documented."""
    lines = doc_lines(node.doc)
    documented = [m for m in node.members if m.doc]
    if documented:
        lines = [*(lines or [f"{node.ref.name}."]), "", "Members:"]
        for member in documented:
            text = f"{member.name}: {member.doc}"
            lines += ["    " + line for line in paragraph(text, _WIDTH - 8, "    ")]
    return lines


def method_doc(node: Function) -> list[str]:
    """Return the author's own words."""
    return doc_lines(node.doc)


def function_doc(node: Function) -> list[str]:
    """Say what a function does, what it runs, and what becomes of its arguments."""
    lines = doc_lines(node.doc) or [f"{node.name}."]
    lines += ["", f"Runs `{node.impl.module}:{node.impl.attribute}` under `jax.jit`."]
    for role, title in (
        ("donated", "Donated arguments:"),
        ("dynamic", "Dynamic arguments:"),
        ("static", "Static arguments, part of the trace key:"),
    ):
        names = [f"{p.name} ({type_text(p.type)})" for p in node.parameters if p.role == role]
        if names:
            lines += ["", title]
            for name in names:
                lines += ["    " + line for line in paragraph(name, _WIDTH - 8, "    ")]
    return lines
