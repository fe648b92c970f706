r"""The table of what the schemas declare, which checkpoints and configurations are held against.

entries(module)             ->    '    "heat.Grid": {\n        "kind": "class", ...},\n'
table([...])                ->    Rendered("_runtime/checkpoint/declared.py", ...)
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.options import Options
from codegen.program.declared import Table, declared
from codegen.program.nodes import Module
from codegen.rendered.header import seal
from codegen.rendered.nodes import Rendered
from codegen.rendered.wrap import wrap
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
    pairs = declared(module).items()
    return wrap("".join(f"    {py_str(name)}: {_literal(one)},\n" for name, one in pairs))


def table(entries: Iterable[str]) -> Rendered:
    """Return the file of the table."""
    text = _HEAD + "".join(entries) + "}\n"
    return Rendered("_runtime/checkpoint/declared.py", seal(text))


def _literal(value: str | list[str] | Table) -> str:
    if isinstance(value, str):
        return py_str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(py_str, value))}]"
    items = (f"{py_str(name)}: {_literal(one)}" for name, one in value.items())
    return f"{{{', '.join(items)}}}"
