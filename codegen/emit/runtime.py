"""The support package: which of its parts a program needs, and their files.

    closure({"call"})      ->    ("call", "classes", "keys", ...)
    parts()["call"]        ->    ("call/__init__.py", "call/functions.py", ...)

A part is a folder or a module of `codegen/runtime`. It is written whole or not at all, so that an
unrelated change to a schema touches nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from codegen import installation
from codegen.program.graph import reachable

# The support package itself, and what can be set for all of it.
ALWAYS = ("settings",)

_RELATIVE_IMPORT = re.compile(r"^\s*from (\.+)(\w*)[\w.]* import", re.MULTILINE)


@cache
def parts() -> dict[str, tuple[str, ...]]:
    """Return the files of every part, by its name; "" is the package's own `__init__`."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in (installation.package() / "runtime").iterdir():
        name = entry.name.removesuffix(".py")
        if entry.is_dir() and name.isidentifier() and name != "__pycache__":
            inside = sorted(file.name for file in entry.iterdir() if file.name.endswith(".py"))
            found[name] = tuple(f"{name}/{file}" for file in inside)
        elif entry.name.endswith(".py"):
            found["" if name == "__init__" else name] = (entry.name,)
    return found


@cache
def source(path: str) -> str:
    """Return the text of one file."""
    return (installation.package() / "runtime" / path).read_text(encoding="utf-8")


def closure(names: Iterable[str]) -> tuple[str, ...]:
    """Add the parts that these import, and those that are always there."""
    return tuple(sorted(reachable(["", *ALWAYS, *names], _imported)))


@cache
def _imported(part: str) -> tuple[str, ...]:
    found: set[str] = set()
    for path in parts()[part]:
        for dots, name in _RELATIVE_IMPORT.findall(source(path)):
            if len(dots) == path.count("/") + 1:
                found.add(name)
    return tuple(sorted(found - {"", part}))
