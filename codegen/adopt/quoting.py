"""Names in code that is rewritten: quoted annotations, whose names are bound later, and renamed methods.

def cross(self, other: Motion) -> Force: ...    ->    def cross(self, other: 'Motion') -> 'Force': ...
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from codegen.adopt.decide.rewrites import RetainedBody
from codegen.adopt.find.package import parse_quoted


def quoted(
    body: Sequence[cst.BaseStatement | cst.BaseSmallStatement],
    names: Collection[str],
    *,
    with_fields: bool,
) -> Iterator[cst.BaseStatement]:
    """Yield the statements with the annotations that have these names as strings."""
    quoter = _Quoter(names, with_fields=with_fields)
    for one in body:
        new = one.visit(quoter)
        assert isinstance(new, cst.BaseStatement), "nothing is removed"
        yield new


class _Quoter(cst.CSTTransformer):
    def __init__(self, names: Collection[str], *, with_fields: bool) -> None:
        super().__init__()
        self._names = names
        self._with_fields = with_fields

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:  # noqa: N802
        return self._with_fields

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802
        return False  # its body does not run on import

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        params, returns = original_node.params.visit(self), original_node.returns
        assert isinstance(params, cst.Parameters), "nothing is removed"
        return updated_node.with_changes(params=params, returns=returns and returns.visit(self))

    def leave_Annotation(  # noqa: N802
        self, original_node: cst.Annotation, updated_node: cst.Annotation
    ) -> cst.Annotation:
        code = cst.Module([]).code_for_node(original_node.annotation)
        read = {one.id for one in ast.walk(ast.parse(code)) if isinstance(one, ast.Name)}
        if read.isdisjoint(self._names):
            return updated_node
        text = repr(code) if '"' in code else f'"{code}"'
        return updated_node.with_changes(annotation=cst.SimpleString(text))


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


def python_name(name: cst.Name) -> str:
    """Return a name as Python sees it: normalised."""
    return unicodedata.normalize("NFKC", name.value)


class _MethodRenamer(cst.CSTTransformer):
    """Renames `__post_init__` to `__check_init__`, and `super(Plate, self)` to use the mixin."""

    def __init__(self, taken: RetainedBody) -> None:
        super().__init__()
        self._taken = taken

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        match original_node:
            case cst.Call(
                func=cst.Name(value="super"), args=[cst.Arg(value=cst.Name() as name), *_]
            ) if python_name(name) == self._taken.name:
                first = cst.Arg(cst.Name(self._taken.mixin), comma=updated_node.args[0].comma)
                return updated_node.with_changes(args=[first, *updated_node.args[1:]])
            case _:
                return updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        if original_node.value == "__post_init__":
            return updated_node.with_changes(value="__check_init__")
        return updated_node


def rename_methods(
    statement: cst.CSTNode, retained: RetainedBody
) -> cst.BaseStatement | cst.BaseSmallStatement:
    """Return a statement of a class as its mixin needs it."""
    new = statement.visit(_MethodRenamer(retained))
    assert isinstance(new, cst.BaseStatement | cst.BaseSmallStatement), "nothing is removed"
    return new
