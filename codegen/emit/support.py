"""The files beside the generated modules: the run time, and the tables of declarations.

    runtime_copy()                         ->    (Rendered("_runtime/__init__.py", ...), ...)
    declaration_files(module, options)     ->    (Rendered("_runtime/checkpoint/declared/heat.py", ...),)

With `runtime = "vendored"`, the output holds a copy of the whole package `codegen/runtime`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources.abc import Traversable

from codegen import installation
from codegen.emit.build import folders
from codegen.emit.expressions import py_str
from codegen.emit.rendered import Rendered, with_header
from codegen.emit.wrap import wrap
from codegen.options import Options
from codegen.program.declaration_tables import Table, declaration_table
from codegen.program.nodes import Module

# The run time also supports Python 3.11, whatever version its users lint for. Much of its input,
# and of JAX's output, has no known type.
_RUNTIME_PRAGMA = """\
# ruff: noqa: RUF100, TID252, UP036, UP037, UP040, UP046, UP047
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""  # noqa: E501

_FOLDER = "_runtime/checkpoint/declared"
_HEAD = '''# ruff: noqa: N999, RUF100
"""The declarations of the schema `{name}`, for checkpoints and configurations."""

from typing import Any, Final

DECLARED: Final[dict[str, dict[str, Any]]] = {{
'''
_PACKAGE = '"""The declarations of each module in this folder."""\n'


def assemble(modules: Iterable[Rendered], options: Options) -> tuple[Rendered, ...]:
    """Add the marker of typed packages to modules and packages, and the run time where it is copied."""
    files = [Rendered("py.typed", ""), *modules]
    if options.runtime == "vendored":
        files += runtime_copy()
    return tuple(sorted(files, key=lambda f: f.path))


@cache
def runtime_copy() -> tuple[Rendered, ...]:
    """Return the copy of the run time."""
    return tuple(_copies(installation.package() / "runtime", "_runtime"))


def _copies(folder: Traversable, path: str) -> Iterator[Rendered]:
    for entry in folder.iterdir():
        inside = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _copies(entry, inside)
        elif entry.name.endswith(".py"):
            text = _RUNTIME_PRAGMA + entry.read_text(encoding="utf-8")
            yield Rendered(inside, with_header(text))


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
