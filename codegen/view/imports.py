"""Import statements, sorted and grouped as isort does.

{("jax", "Array"): "Array", ("enum", ""): "enum"}    ->    "import enum", "from jax import Array"
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from codegen.view.layout import import_as, import_from
from codegen.view.names import Names

Imports = Mapping[tuple[str, str], str]


# The standard library of any Python that this project runs on, so that each gives the same output:
# of this one, what was in 3.11 and has left it since, and what has come to it.
_STANDARD: Final = sys.stdlib_module_names | {
    *("aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils"),
    *("imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes"),
    *("smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
    *("annotationlib", "compression"),
}


def import_blocks(names: Names) -> tuple[str, ...]:
    """Return the blocks of imports: standard library, others, relative ones, and those for type checkers alone."""
    if names.late:
        names.use("typing", "TYPE_CHECKING")
    groups: tuple[dict[tuple[str, str], str], ...] = ({}, {}, {})
    for (module, name), local in names.imports.items():
        groups[_group(module)][module, name] = local
    blocks = ["\n".join(_statements(group, 0)) for group in groups if group]
    if names.late:
        guard = names.use("typing", "TYPE_CHECKING")
        blocks.append("\n".join([f"if {guard}:", *_statements(names.late, 4)]))
    return tuple(blocks)


def _group(module: str) -> int:
    if module.startswith("."):
        return 2
    return 0 if module.partition(".")[0] in _STANDARD else 1


def _statements(imports: Imports, indent: int) -> list[str]:
    margin = " " * indent
    plain = sorted((m, local) for (m, name), local in imports.items() if not name)
    lines = [f"{margin}import {m}" + ("" if local == m else f" as {local}") for m, local in plain]
    by_module: dict[str, list[tuple[str, str]]] = {}
    for (module, name), local in imports.items():
        if name:
            by_module.setdefault(module, []).append((name, local))
    for module in sorted(by_module, key=_module_order):
        pairs = sorted(by_module[module], key=_name_order)
        own = [name for name, local in pairs if name == local]
        if own:
            lines.append(import_from(module, own, indent))
        lines += [import_as(module, name, local, indent) for name, local in pairs if name != local]
    return lines


def _module_order(module: str) -> tuple[int, str]:
    """Put relative imports from further up first."""
    dots = len(module) - len(module.lstrip("."))
    return -dots, module.lower()


def _name_order(pair: tuple[str, str]) -> tuple[int, str, str]:
    """Put constants first, then classes, then the rest."""
    name = pair[0]
    if len(name) > 1 and name.isupper():
        return 0, name, name
    return (1 if name[:1].isupper() else 2), name.lower(), name
