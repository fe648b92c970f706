"""Rewrite a source: replace class definitions by imports, and keep methods in mixins.

    @struct.dataclass                      class _PlateMethods:
    class Plate:                               __slots__ = ()
        u: jax.Array
                                     ->        def energy(self): ...
        def energy(self): ...

                                           from heat._generated.plate import Plate

libcst keeps every comment, except those of fields, which are now in the schema.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from codegen.adopt.decide.rewrites import RetainedBody, Rewrite
from codegen.adopt.write.imports import finish_imports

_SLOTS = "__slots__ = ()\n"
_FUTURE = "from __future__ import annotations\n"


def rewrite_source(data: bytes, change: Rewrite) -> bytes:
    """Return the source without these classes."""
    taken = {one.name: one for one in change.classes}
    wrapper = MetadataWrapper(cst.parse_module(data))
    positions = wrapper.resolve(PositionProvider)
    module = wrapper.module
    texts = (*change.functions, change.statement, *change.values) if change.statement else ()
    added = [cst.parse_statement(text) for text in texts]
    body: list[cst.BaseStatement | cst.SimpleStatementLine] = []
    waiting: list[cst.EmptyLine] = []
    is_placed = False
    for statement in module.body:
        is_taken = isinstance(statement, cst.ClassDef) and _python_name(statement.name) in taken
        place = positions[statement]
        if is_taken and not change.after_line and not is_placed:
            body += _with_blank_lines(added)
            is_placed = True
        new: cst.BaseStatement | cst.SimpleStatementLine | None = statement
        if isinstance(statement, cst.SimpleStatementLine) and place.start.line in change.removed:
            new = None
        elif isinstance(statement, cst.ClassDef) and _python_name(statement.name) in change.plain:
            new = statement.with_changes(decorators=[])
        elif is_taken and isinstance(statement, cst.ClassDef):
            new = _make_mixin(statement, taken[_python_name(statement.name)])
            if new is None:
                has_comment = any(line.comment is not None for line in statement.leading_lines)
                waiting += statement.leading_lines if has_comment else ()
        if new is not None:
            body.append(_with_leading_lines(new, waiting))
            waiting = []
        if change.after_line and not is_placed and place.end.line >= change.after_line:
            body += _with_blank_lines(added)
            is_placed = True
    if change.needs_future:
        body = _add_future_import(body)
    footer = [*waiting, *module.footer]
    return finish_imports(module, module.with_changes(body=body, footer=footer), change)


def _python_name(name: cst.Name) -> str:
    """Return a name as Python sees it: normalised."""
    return unicodedata.normalize("NFKC", name.value)


def _with_blank_lines(
    statements: Sequence[cst.BaseStatement | cst.SimpleStatementLine],
) -> list[cst.BaseStatement | cst.SimpleStatementLine]:
    return [
        _with_leading_lines(one, [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)])
        for one in statements
    ]


def _with_leading_lines(
    statement: cst.BaseStatement | cst.SimpleStatementLine, lines: Sequence[cst.EmptyLine]
) -> cst.BaseStatement | cst.SimpleStatementLine:
    """Return a statement with extra lines above its own."""
    if not lines:
        return statement
    own = getattr(statement, "leading_lines", ())
    return statement.with_changes(leading_lines=[*lines, *own])


def _make_mixin(node: cst.ClassDef, retained: RetainedBody) -> cst.ClassDef | None:
    """Return what remains of a class without its fields, docstring and decorators."""
    if not retained.mixin:
        return None
    body = list(node.body.body)
    if body and _is_docstring(body[0]):
        body = body[1:]
    statements: list[cst.BaseStatement | cst.BaseSmallStatement] = []
    was_field = False
    for one in body:
        left = _without_fields(one, retained.fields)
        if left is None or (was_field and _is_docstring(one)):
            was_field = True
            continue
        was_field = False
        statements.append(_rename_methods(left, retained))
    if retained.added:
        statements.append(
            cst.parse_statement(retained.added).with_changes(leading_lines=[cst.EmptyLine()])
        )
    if retained.has_slots:
        statements.insert(0, cst.parse_statement(_SLOTS))
    elif statements:
        lines = getattr(statements[0], "leading_lines", ())
        comments = [line for line in lines if line.comment is not None]
        statements[0] = statements[0].with_changes(leading_lines=comments)
    if not statements:
        statements = [cst.parse_statement("pass\n")]
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


def _is_docstring(statement: cst.CSTNode) -> bool:
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
    if isinstance(statement, cst.FunctionDef) and _python_name(statement.name) in fields:
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
            return _python_name(name)
        case _:
            return ""


class _MethodRenamer(cst.CSTTransformer):
    """Renames `__post_init__` to `__check_init__`, and `super(Plate, self)` to use the mixin."""

    def __init__(self, taken: RetainedBody) -> None:
        super().__init__()
        self._taken = taken

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        match original_node:
            case cst.Call(
                func=cst.Name(value="super"), args=[cst.Arg(value=cst.Name() as name), *_]
            ) if _python_name(name) == self._taken.name:
                first = cst.Arg(cst.Name(self._taken.mixin), comma=updated_node.args[0].comma)
                return updated_node.with_changes(args=[first, *updated_node.args[1:]])
            case _:
                return updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        if original_node.value == "__post_init__":
            return updated_node.with_changes(value="__check_init__")
        return updated_node


def _rename_methods(
    statement: cst.CSTNode, retained: RetainedBody
) -> cst.BaseStatement | cst.BaseSmallStatement:
    new = statement.visit(_MethodRenamer(retained))
    assert isinstance(new, cst.BaseStatement | cst.BaseSmallStatement), "nothing is removed"
    return new


def _add_future_import(
    body: list[cst.BaseStatement | cst.SimpleStatementLine],
) -> list[cst.BaseStatement | cst.SimpleStatementLine]:
    """Return the statements with the annotations import added after the docstring."""
    start = 1 if body and _is_docstring(body[0]) else 0
    line = _with_leading_lines(cst.parse_statement(_FUTURE), [cst.EmptyLine(indent=False)] * start)
    return [*body[:start], line, *body[start:]]
