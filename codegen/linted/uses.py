"""Where a module uses names.

uses(<u: donated[f32[nx, nx]]>)    ->    Counter({"nx": 2, "donated": 1, "f32": 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from codegen.syntax import nodes as syntax


def uses(module: syntax.Module) -> Counter[str]:
    """How often each name is used in a module; declarations and imports are no uses.

    "*n" is how often `n` is used as `*n`.
    """
    return Counter(name for statement in module.body for name in _names(statement))


def _names(node: object) -> Iterator[str]:
    if isinstance(node, syntax.Name):
        yield node.id
    elif isinstance(node, syntax.Starred) and isinstance(node.value, syntax.Name):
        yield from (node.value.id, f"*{node.value.id}")
    elif isinstance(node, syntax.Import | syntax.ImportFrom):
        return
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)
    elif isinstance(node, Struct):
        for name in node.__struct_fields__:
            yield from _names(getattr(node, name))
