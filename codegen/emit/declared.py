"""The tables of what the schemas declare, which checkpoints and configurations are compared with.

declared_by(module, options)    ->    (Rendered("_runtime/checkpoint/declared/heat.py", ...),)

There is a file for each module, so that two branches that change different schemas change different
files.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.emit.build import folders
from codegen.emit.expressions import py_str
from codegen.emit.rendered import Rendered, with_header
from codegen.emit.wrap import wrap
from codegen.options import Options
from codegen.program.declared import Table, declared
from codegen.program.nodes import Module

_FOLDER = "_runtime/checkpoint/declared"
_HEAD = '''# ruff: noqa: N999, RUF100
"""What the schema `{name}` declares: checkpoints and configurations are compared with it."""

from typing import Any, Final

DECLARED: Final[dict[str, dict[str, Any]]] = {{
'''
_PACKAGE = '"""The declarations of each module in this folder."""\n'


def declared_by(module: Module, options: Options) -> tuple[Rendered, ...]:
    """Return the file with what a module declares, where a feature reads it."""
    if not _is_wanted(options):
        return ()
    pairs = declared(module).items()
    entries = wrap("".join(f"    {py_str(name)}: {_literal(one)},\n" for name, one in pairs))
    head = _HEAD.format(name=module.name)
    return (_file(module.name.replace(".", "/"), f"{head}{entries}}}\n"),)


def declared_packages(modules: Iterable[str], options: Options) -> list[Rendered]:
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
