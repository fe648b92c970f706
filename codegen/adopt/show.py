r"""Print any stage of `codegen adopt` as text, as `codegen show` does for a build.

format_stage((Class("Plate", ...),))
->    "Class name='Plate' module='heat.plate' mechanism='flax.struct'\\n  fields: ..."
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Final

from codegen.adopt.decide.nodes import NAME_MARK
from codegen.node import dump

STAGES: Final = ("found", "unsound", "observed", "decided", "written")
"""The stages to print. `observed` needs a command, and the last two need folders."""
_MARKED_NAME = re.compile(
    f"{re.escape(repr(NAME_MARK)[1:-1])}([^:]*?):(.*?){re.escape(repr(NAME_MARK)[1:-1])}"
)


def format_stage(nodes: Iterable[object]) -> str:
    """Return a line for each node, with its content indented below."""
    return "".join(f"{line}\n" for node in nodes for line in dump(node, _format_leaf))


def _format_leaf(value: object) -> str | None:
    """Return a value in one line; None if it has fields."""
    match value:
        case ast.ClassDef():
            return f"<line {value.lineno}>"
        case ast.AST():
            return ast.unparse(value)
        case str():
            return _MARKED_NAME.sub(r"\1.\2", repr(value)).replace("'.", "'")
        case Mapping():
            inner = (
                f"{name}: {_format_leaf(one) or type(one).__name__}" for name, one in value.items()
            )
            return f"{{{', '.join(inner)}}}"
        case bool() | int() | frozenset() | None:
            return repr(value)
        case _:
            return None
