"""Where a module uses names.

uses(<u: donated[f32[nx, nx]]>)    ->    Counter({"nx": 2, "donated": 1, "f32": 1})
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from codegen.schema.stub import Stub


def uses(stub: Stub) -> Counter[str]:
    """How often each name is used in a module; declarations and imports are no uses.

    "*n" is how often `n` is used as `*n`.
    """
    return Counter(_names(stub.tree))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.Starred(value=ast.Name(id=name)):
                yield f"*{name}"
            case _:
                pass
