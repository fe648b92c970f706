"""Statements: from Python's nodes to our own, each with its documentation.

nx = Dim(mesh="rows")  # cells along x      Assign("nx", value=Call(...), doc="cells along x")
if DEBUG: ...                               STATEMENT: `if` cannot stand in a schema
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from codegen.diagnostics import Code
from codegen.source import Span
from codegen.syntax import nodes
from codegen.syntax.bodies import docstring, is_nothing, string
from codegen.syntax.comments import clean
from codegen.syntax.expressions import default_value, expression, keywords, several
from codegen.syntax.functions import function
from codegen.syntax.limits import DEPTH_MAX, nested_too_deeply
from codegen.syntax.reading import Reading
from codegen.syntax.refused import refuse_expression, refuse_statement

_CLASS_NAME = re.compile(r"class(?:[ \t]|\\\n)+(\w+)")


def statements(
    reading: Reading, found: Sequence[ast.stmt], depth: int = 0
) -> tuple[nodes.Stmt, ...]:
    """Our nodes for the statements of a module or of a class, its docstring left out."""
    converted: list[nodes.Stmt] = []
    above: ast.stmt | None = None
    for node, below in zip(found, [*found, None][1:], strict=True):
        documents = isinstance(above, ast.Assign | ast.AnnAssign) and string(node) is not None
        above = node
        if documents or is_nothing(node):
            continue
        if reading.is_full(span := reading.span(node)):
            break
        statement = _statement(reading, node, span, below, depth)
        if statement is not None:
            converted.append(statement)
    return tuple(converted)


def _statement(
    reading: Reading, node: ast.stmt, span: Span, below: ast.stmt | None, depth: int
) -> nodes.Stmt | None:
    match node:
        case ast.Assign() | ast.AnnAssign():
            return _assign(reading, node, span, below)
        case ast.ClassDef():
            return _class(reading, node, span, depth)
        case ast.FunctionDef():
            return function(reading, node, span)
        case ast.Import() | ast.ImportFrom():
            return _import(reading, node, span)
        case ast.Expr(value=value):
            return _expression(reading, value, span)
        case _:
            refuse_statement(reading, node, span)
            return None


def _expression(reading: Reading, node: ast.expr, span: Span) -> nodes.Expression | None:
    value = expression(reading, node) if isinstance(node, ast.Call) else None
    if isinstance(value, nodes.Call):
        return nodes.Expression(value, span)
    if value is None:
        refuse_expression(reading, node, span)
    return None


def _import(
    reading: Reading, node: ast.Import | ast.ImportFrom, span: Span
) -> nodes.Import | nodes.ImportFrom:
    names = _names(reading, node)
    if isinstance(node, ast.Import):
        return nodes.Import(names, span)
    return nodes.ImportFrom(node.module or "", node.level, names, span)


def _names(reading: Reading, node: ast.Import | ast.ImportFrom) -> tuple[nodes.ImportedName, ...]:
    names: list[nodes.ImportedName] = []
    for alias in node.names:
        span = reading.span(alias)
        if alias.name == "*":
            reading.refuse(
                Code.OUTSIDE_LANGUAGE,
                span,
                "`*` does not say which names it imports",
                label="a reader cannot tell where a name comes from",
                advice="name them: `from module import First, Second`",
            )
        names.append(nodes.ImportedName(alias.name, alias.asname, span))
    return tuple(names)


def _class(reading: Reading, node: ast.ClassDef, span: Span, depth: int) -> nodes.Class | None:
    if depth == DEPTH_MAX:
        reading.found.append(nested_too_deeply(reading.source, span))
        return None
    doc, doc_span, rest = docstring(reading, node.body)
    name = _CLASS_NAME.match(reading.code, span.start)
    return nodes.Class(
        node.name,
        several(reading, node.bases),
        keywords(reading, node.keywords),
        statements(reading, rest, depth + 1),
        several(reading, node.decorator_list),
        doc,
        span,
        Span(*name.span(1)) if name else span,
        doc_span,
    )


def _assign(
    reading: Reading, node: ast.Assign | ast.AnnAssign, span: Span, below: ast.stmt | None
) -> nodes.Assign | None:
    target = _target(reading, node)
    annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
    doc, doc_span = _documentation(reading, span, below)
    read = expression if annotation is None else default_value
    assign = nodes.Assign(
        "" if target is None else target.id,
        None if annotation is None else expression(reading, annotation),
        None if node.value is None else read(reading, node.value),
        doc,
        span,
        span if target is None else reading.span(target),
        doc_span,
    )
    return None if target is None else assign


def _documentation(reading: Reading, span: Span, below: ast.stmt | None) -> tuple[str, Span | None]:
    """What documents an assignment: the string below it, or its last comment."""
    text = string(below)
    if below is not None and text is not None and (words := clean(text)):
        return words, reading.span(below)
    return reading.comments.documentation(span)


def _target(reading: Reading, node: ast.Assign | ast.AnnAssign) -> ast.Name | None:
    """The one name that an assignment binds; anything else is refused."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    target = targets[0]
    is_simple = isinstance(node, ast.Assign) or node.simple
    if len(targets) == 1 and isinstance(target, ast.Name) and is_simple:
        return target
    first, last = reading.span(target), reading.span(targets[-1])
    if len(targets) > 1:
        reading.refuse(
            Code.OUTSIDE_LANGUAGE,
            Span(first.start, last.end),
            "one assignment declares several names",
            advice="declare each of them in a line of its own",
        )
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        reading.refuse(
            Code.OUTSIDE_LANGUAGE,
            first,
            "an assignment that unpacks declares several names",
            advice="declare each of them in a line of its own",
        )
    else:
        reading.refuse(
            Code.OUTSIDE_LANGUAGE,
            first,
            "only a plain name can be declared",
            advice="write `name: static[int]` or `name = value`",
        )
    return None
