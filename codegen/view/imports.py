"""Import statements, sorted and grouped as isort does.

{("jax", "Array"): "Array", ("enum", ""): "enum"}    ->    "import enum", "from jax import Array"
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from codegen.view.names import Names, aliased
from codegen.view.nodes import ImportView

Imports = Mapping[tuple[str, str], str]


# The standard library of any Python that this project runs on, so that each gives the same output:
# of this one, what was in 3.11 and has left it since, and what has come to it.
_STANDARD: Final = sys.stdlib_module_names | {
    *("aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils"),
    *("imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes"),
    *("smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
    *("annotationlib", "compression"),
}


Block = tuple[ImportView, ...]


def import_blocks(names: Names, apart: frozenset[str] = frozenset()) -> tuple[Block, ...]:
    """Return the blocks of imports: standard library, others, relative ones."""
    groups: tuple[dict[tuple[str, str], str], ...] = ({}, {}, {})
    for (module, name), local in names.imports.items():
        if module not in apart:
            groups[_group(module)][module, name] = local
    return tuple(_block(group) for group in groups if group)


def modules_around(names: Names, holder: str) -> frozenset[str]:
    """Return the modules that may import this one themselves: of mixins, and of its package."""
    found = {mixin.module for node in names.module.classes for mixin in node.mixins}
    package = holder.partition(".")[0]
    found |= {module for module, _ in names.imports if module.partition(".")[0] == package}
    return frozenset(module for module in found if _group(module) == 1)


def block_around(names: Names, modules: frozenset[str]) -> Block:
    """Return the imports from these."""
    return _block({key: local for key, local in names.imports.items() if key[0] in modules})


def late_blocks(names: Names) -> tuple[tuple[str, Block], ...]:
    """Return the imports for type checkers alone, behind the name of their condition."""
    if not names.late:
        return ()
    return ((names.use("typing", "TYPE_CHECKING"), _block(names.late)),)


def _group(module: str) -> int:
    if module.startswith("."):
        return 2
    return 0 if module.partition(".")[0] in _STANDARD else 1


def _block(imports: Imports) -> Block:
    plain = sorted((m, local) for (m, name), local in imports.items() if not name)
    found = [ImportView("", (aliased(module, local),)) for module, local in plain]
    by_module: dict[str, list[tuple[str, str]]] = {}
    for (module, name), local in imports.items():
        if name:
            by_module.setdefault(module, []).append((name, local))
    for module in sorted(by_module, key=_module_order):
        pairs = sorted(by_module[module], key=_name_order)
        own = [name for name, local in pairs if name == local]
        if own:
            found.append(ImportView(module, tuple(own)))
        found += [
            ImportView(module, (aliased(name, local),)) for name, local in pairs if name != local
        ]
    return tuple(found)


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
