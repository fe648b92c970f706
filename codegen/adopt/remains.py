"""Rewrite what remains in a source: mixins, other classes that stay, and annotations of names bound later.

make_mixin(<class Plate: ...>, retained)    ->    class _PlateMethods: ...

def cross(self, other: Motion) -> Force: ...    ->    def cross(self, other: 'Motion') -> 'Force': ...
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from codegen.adopt.decide.rewrites import RetainedBody
from codegen.adopt.find.package import parse_quoted

BLANK = cst.EmptyLine(indent=False)
_SLOTS = "__slots__ = ()\n"


def undecorated(node: cst.ClassDef, dropped: Collection[str]) -> cst.ClassDef:
    """Return a class without its decorators and these methods, whose objects have no `__dict__`."""
    body = [one for one in node.body.body if _without_fields(one, dropped) is not None]
    has_slots = "__slots__" in cst.Module([]).code_for_node(node)
    new = node.with_changes(decorators=[], body=node.body.with_changes(body=body))
    return new if has_slots else _with_first_statements(new, [_SLOTS])


def make_virtual(node: cst.ClassDef, fields: Sequence[str]) -> cst.ClassDef:
    """Return a class with these fields, as a virtual subclass of its first base."""
    first, *bases = node.bases
    register = cst.Decorator(cst.Attribute(first.value, cst.Name("register")))
    decorators = [register, *node.decorators]
    return _with_first_statements(node.with_changes(bases=bases, decorators=decorators), fields)


def _with_first_statements(node: cst.ClassDef, texts: Sequence[str]) -> cst.ClassDef:
    """Return a class with these statements at the top of its body, below the docstring."""
    body = [*node.body.body]
    at = 1 if body and is_docstring(body[0]) else 0
    following = body[at] if at < len(body) else None
    if isinstance(following, cst.FunctionDef) and not following.leading_lines:
        body[at] = following.with_changes(leading_lines=[BLANK])
    body[at:at] = map(cst.parse_statement, texts)
    return node.with_changes(body=node.body.with_changes(body=body))


def make_mixin(node: cst.ClassDef, retained: RetainedBody) -> cst.ClassDef | None:
    """Return what remains of a class without its fields, docstring and decorators."""
    if not retained.mixin:
        return None
    body = list(node.body.body)
    if body and is_docstring(body[0]):
        body = body[1:]
    statements: list[cst.BaseStatement | cst.BaseSmallStatement] = []
    was_field = False
    for one in body:
        left = _without_fields(one, retained.fields)
        if left is None or (was_field and is_docstring(one)):
            was_field = True
            continue
        was_field = False
        statements.append(rename_methods(left, retained))
    lines = [one for one in retained.added if not one.startswith(("def", "@"))]
    statements[:0] = map(cst.parse_statement, lines)
    functions = [cst.parse_statement(one) for one in retained.added if one not in lines]
    statements += [one.with_changes(leading_lines=[BLANK]) for one in functions]
    if retained.has_slots:
        statements.insert(0, cst.parse_statement(_SLOTS))
    elif statements:
        above = getattr(statements[0], "leading_lines", ())
        comments = [line for line in above if line.comment is not None]
        statements[0] = statements[0].with_changes(leading_lines=comments)
    statements = statements or [cst.parse_statement("pass\n")]
    bases = [cst.Arg(cst.parse_expression(base)) for base in retained.bases]
    return node.with_changes(
        name=cst.Name(retained.mixin),
        decorators=[],
        bases=bases,
        keywords=[],
        lpar=cst.LeftParen() if bases else cst.MaybeSentinel.DEFAULT,
        rpar=cst.RightParen() if bases else cst.MaybeSentinel.DEFAULT,
        body=node.body.with_changes(body=statements),
    )


def is_docstring(statement: cst.CSTNode) -> bool:
    """Return whether a statement is a docstring."""
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]
        ):
            return True
        case _:
            return False


def _without_fields(statement: cst.CSTNode, fields: Collection[str]) -> cst.CSTNode | None:
    """Return a statement without its fields; None if nothing is left."""
    if isinstance(statement, cst.FunctionDef) and python_name(statement.name) in fields:
        return None
    if not isinstance(statement, cst.SimpleStatementLine):
        return statement
    remaining = [one for one in statement.body if _field_name(one) not in fields]
    if len(remaining) == len(statement.body):
        return statement
    return statement.with_changes(body=remaining) if remaining else None


def _field_name(statement: cst.CSTNode) -> str:
    match statement:
        case cst.AnnAssign(target=cst.Name() as name):
            return python_name(name)
        case _:
            return ""


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
