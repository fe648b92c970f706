"""Quoted annotations: the names that they read, and writing those whose names are bound only later.

def cross(self, other: Motion) -> Force: ...    ->    def cross(self, other: 'Motion') -> 'Force': ...
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from codegen.adopt.find.package import parse_quoted


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


def names_read(tree: ast.AST) -> Iterator[str]:
    """Yield the names that code reads, also in quoted annotations and in `__all__`."""
    docs = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        ):
            quoted = parse_quoted(node.value)
            for one in ast.walk(quoted) if quoted is not None else ():
                if isinstance(one, ast.Name):
                    yield one.id
