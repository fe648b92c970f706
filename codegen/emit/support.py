"""The support package: which of its parts a program needs, their files, and the tables beside them.

    with_imported_parts({"call"})      ->    ("call", "classes", "keys", ...)
    parts()["call"]                    ->    ("call/__init__.py", "call/arguments.py", ...)
    declaration_files(module, options)    ->    (Rendered("_runtime/checkpoint/declared/heat.py", ...),)

A part is a folder or a module of `codegen/runtime`. It is copied whole or not at all, so an
unrelated change to a schema does not change it. Checkpoints and configurations are compared with
the declarations of the schemas. Each module has its own file of declarations, so branches that
change different schemas change different files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from codegen import installation
from codegen.emit.build import folders
from codegen.emit.expressions import py_str
from codegen.emit.rendered import Rendered, with_header
from codegen.emit.wrap import wrap
from codegen.options import Options
from codegen.program.declaration_tables import Table, declaration_table
from codegen.program.graph import reachable
from codegen.program.nodes import Module

# The support package also supports Python 3.11, whatever version its users lint for. Much of its
# input, and of JAX's output, has no known type.
_RUNTIME_PRAGMA = """\
# ruff: noqa: RUF100, TID252, UP036, UP037, UP040, UP046, UP047
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""  # noqa: E501

# The support package itself, and its global settings.
ALWAYS = ("settings",)

_RELATIVE_IMPORT = re.compile(r"^\s*from (\.+)(\w*)[\w.]* import", re.MULTILINE)

_FOLDER = "_runtime/checkpoint/declared"
_HEAD = '''# ruff: noqa: N999, RUF100
"""The declarations of the schema `{name}`, for checkpoints and configurations."""

from typing import Any, Final

DECLARED: Final[dict[str, dict[str, Any]]] = {{
'''
_PACKAGE = '"""The declarations of each module in this folder."""\n'


def assemble(
    modules: Iterable[Rendered],
    runtime: Iterable[str],
    options: Options,
) -> tuple[Rendered, ...]:
    """Add the required parts of the support package to modules and packages.

    Args:
        modules: the files that the schemas became
        runtime: the parts of the support package that they import
        options: which others are wanted, and whether the runtime is copied at all
    """
    files = [Rendered("py.typed", ""), *modules]
    if options.runtime == "vendored":
        files += _runtime_copies(runtime, options)
    return tuple(sorted(files, key=lambda f: f.path))


def _runtime_copies(runtime: Iterable[str], options: Options) -> list[Rendered]:
    """Return the copies of the parts of the runtime that are needed or wanted."""
    needed = {*with_imported_parts({*runtime, *options.features} & {*parts()})}
    if {"refs", "call"} <= needed:  # Neither imports this part.
        needed.update(with_imported_parts(["in_place"]))
    return [
        Rendered(f"_runtime/{path}", with_header(_RUNTIME_PRAGMA + part_source(path)))
        for part in sorted(needed)
        for path in parts()[part]
    ]


@cache
def parts() -> dict[str, tuple[str, ...]]:
    """Return the files of every part, by its name; "" is the package's own `__init__`."""
    files: dict[str, tuple[str, ...]] = {}
    for entry in (installation.package() / "runtime").iterdir():
        name = entry.name.removesuffix(".py")
        if entry.is_dir() and name.isidentifier() and name != "__pycache__":
            inside = sorted(file.name for file in entry.iterdir() if file.name.endswith(".py"))
            files[name] = tuple(f"{name}/{file}" for file in inside)
        elif entry.name.endswith(".py"):
            files["" if name == "__init__" else name] = (entry.name,)
    return files


@cache
def part_source(path: str) -> str:
    """Return the text of one file."""
    return (installation.package() / "runtime" / path).read_text(encoding="utf-8")


def with_imported_parts(names: Iterable[str]) -> tuple[str, ...]:
    """Add the parts that these import, and those that are always present."""
    return tuple(sorted(reachable(["", *ALWAYS, *names], _imported)))


@cache
def _imported(part: str) -> tuple[str, ...]:
    names: set[str] = set()
    for path in parts()[part]:
        for dots, name in _RELATIVE_IMPORT.findall(part_source(path)):
            if len(dots) == path.count("/") + 1:
                names.add(name)
    return tuple(sorted(names - {"", part}))


# --- tables of the schemas' declarations


def declaration_files(module: Module, options: Options) -> tuple[Rendered, ...]:
    """Return the file with a module's declarations, if a feature reads it."""
    if not _is_wanted(options):
        return ()
    pairs = declaration_table(module).items()
    entries = wrap("".join(f"    {py_str(name)}: {_literal(one)},\n" for name, one in pairs))
    head = _HEAD.format(name=module.name)
    return (_file(module.name.replace(".", "/"), f"{head}{entries}}}\n"),)


def declaration_packages(modules: Iterable[str], options: Options) -> list[Rendered]:
    """Return the `__init__.py` of each folder of such files."""
    if not _is_wanted(options):
        return []
    paths = [name.replace(".", "/") for name in modules]
    return [_file(f"{folder}__init__", _PACKAGE) for folder in folders(paths)]


def _is_wanted(options: Options) -> bool:
    return bool({"checkpoint", "export"} & {*options.features})


def _file(path: str, text: str) -> Rendered:
    return Rendered(f"{_FOLDER}/{path}.py", with_header(text))


def _literal(value: str | list[str] | Table) -> str:
    if isinstance(value, str):
        return py_str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(py_str, value))}]"
    items = (f"{py_str(name)}: {_literal(one)}" for name, one in value.items())
    return f"{{{', '.join(items)}}}"
