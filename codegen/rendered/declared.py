r"""The table of what the schemas declare, which checkpoints and configurations are held against.

entries(module)             ->    '    "heat.Grid": {\n        "kind": "class",\n ...    },\n'
table([...])                ->    Rendered("_runtime/checkpoint/declared.py", ...)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.options import Options
from codegen.program.declared import Table, declared
from codegen.program.nodes import Module
from codegen.rendered.header import seal
from codegen.rendered.nodes import Rendered
from codegen.view.literals import py_str

_HEAD = '''"""What the schemas declare: what checkpoints and configurations are held against."""

from typing import Any, Final

DECLARED: Final[dict[str, dict[str, Any]]] = {
'''


def is_wanted(options: Options) -> bool:
    """Whether a part of the support package is there that reads the table."""
    return bool({"checkpoint", "export"} & {*options.features})


def entries(module: Module) -> str:
    """Write what a module adds to the table."""
    return "".join(f"{line}\n" for line in _lines(declared(module), "    "))


def table(entries: Iterable[str]) -> Rendered:
    """Return the file of the table."""
    text = _HEAD + "".join(entries) + "}\n"
    return Rendered("_runtime/checkpoint/declared.py", seal(text))


def _lines(table: Table, indent: str) -> Iterator[str]:
    """Write an entry a line, as formatters leave it."""
    for name, value in table.items():
        head = f"{indent}{py_str(name)}: "
        if isinstance(value, str):
            yield f"{head}{py_str(value)},"
        elif not value:
            yield f"{head}{'{}' if isinstance(value, dict) else '[]'},"
        elif isinstance(value, dict):
            yield head + "{"
            yield from _lines(value, f"{indent}    ")
            yield indent + "},"
        else:
            yield head + "["
            yield from (f"{indent}    {py_str(one)}," for one in value)
            yield indent + "],"
