"""Write annotations of functions as strings, where the names are bound only later.

def cross(self, other: Motion) -> Force: ...    ->    def cross(self, other: 'Motion') -> 'Force': ...
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

import libcst as cst


def quoted(
    body: Sequence[cst.BaseStatement], names: Collection[str]
) -> Iterator[cst.BaseStatement]:
    """Yield the statements with the annotations of functions that have these names as strings."""
    quoter = _Quoter(names)
    for one in body:
        new = one.visit(quoter)
        assert isinstance(new, cst.BaseStatement), "nothing is removed"
        yield new


class _Quoter(cst.CSTTransformer):
    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self._names = names

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:  # noqa: N802
        return False  # the type of a field

    def leave_Annotation(  # noqa: N802
        self, original_node: cst.Annotation, updated_node: cst.Annotation
    ) -> cst.Annotation:
        code = cst.Module([]).code_for_node(original_node.annotation)
        read = {one.id for one in ast.walk(ast.parse(code)) if isinstance(one, ast.Name)}
        if read.isdisjoint(self._names):
            return updated_node
        return updated_node.with_changes(annotation=cst.SimpleString(repr(code)))
