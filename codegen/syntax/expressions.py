"""Expressions: from Python's nodes to our own, and a reason for each that has no place here.

f32[nx, ny + 1]    Subscript(Name("f32"), (Name("nx"), Binary("+", Name("ny"), Constant(1))))
lambda: 3          LAMBDA: a lambda cannot stand in a schema
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import isfinite
from typing import Any, Literal

from codegen.diagnostics import Code, Related
from codegen.source import Span
from codegen.syntax import nodes
from codegen.syntax.limits import DEPTH_MAX, DIGITS_MAX, nested_too_deeply, number_too_large
from codegen.syntax.reading import Reading

_Operator = Literal["+", "-", "*", "//", "/", "|", "%", "**"]
_OPERATORS: dict[type[ast.operator], _Operator] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.BitOr: "|",
    ast.Mod: "%",
    ast.Pow: "**",
}

# What stands in the tree for what was refused. Nobody sees it: the report is not empty then.
_REFUSED = nodes.Constant(None, Span(0, 0))


def expression(reading: Reading, node: ast.expr, depth: int = 0) -> nodes.Expr:
    """Our node for one of Python's; what is outside the language is refused at its place."""
    span = reading.span(node)
    if depth > DEPTH_MAX:
        reading.found.append(nested_too_deeply(reading.source, span))
        return _REFUSED
    if reading.is_full(span):
        return _REFUSED
    convert = _CONVERT.get(type(node))
    if convert is not None:
        return convert(reading, node, span, depth + 1)
    return _outside(reading, node, span)


def default_value(reading: Reading, node: ast.expr) -> nodes.Expr:
    """Our node for a default, which no function can be, not even by its name."""
    if not isinstance(node, ast.Lambda):
        return expression(reading, node)
    return _outside(reading, node, reading.span(node), _NO_DEFAULT)


def several(reading: Reading, found: list[ast.expr], depth: int = 0) -> tuple[nodes.Expr, ...]:
    """Our nodes for several of Python's."""
    return tuple([expression(reading, node, depth) for node in found])


def keywords(
    reading: Reading, found: list[ast.keyword], depth: int = 0
) -> tuple[nodes.Keyword, ...]:
    """The keywords of a call or of a class."""
    converted: list[nodes.Keyword] = []
    first: dict[str, Span] = {}
    for node in found:
        span = reading.span(node)
        if node.arg is None:
            reading.refuse(
                Code.OUTSIDE_LANGUAGE,
                span,
                "`**` hides which keywords are given",
                advice="write each of them: `name=value`",
            )
            continue
        if node.arg == "default" and isinstance(node.value, ast.Lambda):
            value = default_value(reading, node.value)
        else:
            value = expression(reading, node.value, depth)
        name_span = _first_word(reading, span)
        if first.setdefault(node.arg, name_span) is not name_span:
            _refuse_twice(reading, node.arg, name_span, first[node.arg])
        converted.append(nodes.Keyword(node.arg, value, span, name_span))
    return tuple(converted)


def _refuse_twice(reading: Reading, name: str, span: Span, first: Span) -> None:
    """Refuse a keyword that was given before, which Python does only where it compiles."""
    reading.refuse(
        Code.DUPLICATE_NAME,
        span,
        f"the keyword `{name}` is given twice",
        label="given again here",
        advice="leave one of them out",
        related=(Related(reading.source, first, "first given here"),),
    )


def _first_word(reading: Reading, span: Span) -> Span:
    equals = reading.code.find("=", span.start, span.end)
    return Span(span.start, span.start + len(reading.code[span.start : equals].rstrip(" \t\\\n")))


def _name(_reading: Reading, node: ast.Name, span: Span, _depth: int) -> nodes.Expr:
    return nodes.Name(node.id, span)


def _attribute(reading: Reading, node: ast.Attribute, span: Span, depth: int) -> nodes.Expr:
    value = expression(reading, node.value, depth)
    start = reading.code.rfind(".", span.start, span.end) + 1
    while reading.code[start] in " \t\\\n":
        start += 1
    return nodes.Attribute(value, node.attr, span, Span(start, span.end))


def _subscript(reading: Reading, node: ast.Subscript, span: Span, depth: int) -> nodes.Expr:
    value = expression(reading, node.value, depth)
    found = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return nodes.Subscript(value, several(reading, found, depth), span)


def _call(reading: Reading, node: ast.Call, span: Span, depth: int) -> nodes.Expr:
    function = expression(reading, node.func, depth)
    arguments = several(reading, _without_set(node), depth)
    return nodes.Call(function, arguments, keywords(reading, node.keywords, depth), span)


def _without_set(node: ast.Call) -> list[ast.expr]:
    """A call's arguments: `frozenset({1, 2})`, as Python writes it, is `frozenset((1, 2))`."""
    match node:
        case ast.Call(func=ast.Name(id="frozenset"), args=[ast.Set(elts=items) as written]):
            return [ast.copy_location(ast.Tuple(items, ast.Load()), written)]
        case _:
            return node.args


def _constant(reading: Reading, node: ast.Constant, span: Span, _depth: int) -> nodes.Expr:
    if not _is_printable(node.value):
        reading.found.append(number_too_large(reading.source, span))
        return _REFUSED
    return nodes.Constant(node.value, span)


def _is_printable(value: object) -> bool:
    """Whether a number can be written into a file and read again."""
    if isinstance(value, int):
        # The power is large, so it is computed only for what is nearly as large.
        return value.bit_length() < DIGITS_MAX * 3 or value < 10**DIGITS_MAX
    if isinstance(value, complex):
        return isfinite(value.imag)
    return not isinstance(value, float) or isfinite(value)


def _tuple(reading: Reading, node: ast.Tuple, span: Span, depth: int) -> nodes.Expr:
    return nodes.Tuple(several(reading, node.elts, depth), span)


def _list(reading: Reading, node: ast.List, span: Span, depth: int) -> nodes.Expr:
    return nodes.List(several(reading, node.elts, depth), span)


def _dict(reading: Reading, node: ast.Dict, span: Span, depth: int) -> nodes.Expr:
    entries: list[tuple[nodes.Expr, nodes.Expr]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            reading.refuse(
                Code.OUTSIDE_LANGUAGE,
                reading.span(value),
                "`**` hides which entries there are",
                advice="write each of them: `key: value`",
            )
        else:
            entries.append((expression(reading, key, depth), expression(reading, value, depth)))
    return nodes.Dict(tuple(entries), span)


def _starred(reading: Reading, node: ast.Starred, span: Span, depth: int) -> nodes.Expr:
    return nodes.Starred(expression(reading, node.value, depth), span)


def _binary(reading: Reading, node: ast.BinOp, span: Span, depth: int) -> nodes.Expr:
    operator = _OPERATORS.get(type(node.op))
    left = expression(reading, node.left, depth)
    right = expression(reading, node.right, depth)
    if operator is not None:
        return nodes.Binary(operator, left, right, span)
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        span,
        "this operator is not part of the schema language",
        advice="write the value, or arithmetic with `+ - * // / % **`",
    )
    return _REFUSED


def _unary(reading: Reading, node: ast.UnaryOp, span: Span, depth: int) -> nodes.Expr:
    operand = expression(reading, node.operand, depth)
    if isinstance(node.op, ast.USub | ast.UAdd):
        return nodes.Unary("-" if isinstance(node.op, ast.USub) else "+", operand, span)
    word = "not" if isinstance(node.op, ast.Not) else "~"
    reading.refuse(
        Code.OUTSIDE_LANGUAGE,
        span,
        f"`{word}` is not part of the schema language",
        advice="write the value",
    )
    return _REFUSED


_Convert = Callable[[Reading, Any, Span, int], nodes.Expr]
_CONVERT: dict[type[ast.expr], _Convert] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Dict: _dict,
    ast.Starred: _starred,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
}

_COMPREHENSION = (Code.OUTSIDE_LANGUAGE, "a comprehension", "write the items: `(a, b)`")
_OUTSIDE: dict[type[ast.expr], tuple[Code, str, str]] = {
    ast.Lambda: (
        Code.OUTSIDE_LANGUAGE,
        "a lambda",
        'define a function in a module of your own and give its name as "module:function"',
    ),
    ast.ListComp: _COMPREHENSION,
    ast.SetComp: _COMPREHENSION,
    ast.DictComp: _COMPREHENSION,
    ast.GeneratorExp: (Code.OUTSIDE_LANGUAGE, "a generator", "write the items: `(a, b)`"),
    ast.NamedExpr: (Code.OUTSIDE_LANGUAGE, "`:=`", "assign in a line of its own: `name = value`"),
    ast.Set: (Code.OUTSIDE_LANGUAGE, "a set", "write `frozenset({a, b})`"),
    ast.Slice: (
        Code.OUTSIDE_LANGUAGE,
        "a slice",
        "write a single item; a dimension of any size is `_`",
    ),
    ast.IfExp: (Code.OUTSIDE_LANGUAGE, "a conditional expression", "write the value"),
    ast.Compare: (Code.OUTSIDE_LANGUAGE, "a comparison", "write the value"),
    ast.BoolOp: (
        Code.OUTSIDE_LANGUAGE,
        "`and` or `or`",
        "write the value; a union of types is `A | B`",
    ),
    ast.Await: (Code.OUTSIDE_LANGUAGE, "`await`", "write the value"),
    ast.Yield: (Code.OUTSIDE_LANGUAGE, "`yield`", "write the value"),
    ast.YieldFrom: (Code.OUTSIDE_LANGUAGE, "`yield from`", "write the value"),
    ast.JoinedStr: (Code.OUTSIDE_LANGUAGE, "an f-string", "write a plain string"),
}


_NO_DEFAULT = (
    "no function can be a default: leave it out, or write `T | None = None`; "
    "constructors and calls take a function that a module holds by its name"
)


def _outside(reading: Reading, node: ast.expr, span: Span, instead: str = "") -> nodes.Expr:
    code, what, advice = _OUTSIDE.get(
        type(node), (Code.OUTSIDE_LANGUAGE, "this expression", "write the value")
    )
    reading.refuse(
        code,
        span,
        f"{what} cannot stand in a schema",
        label="a schema is read, never run",
        advice=instead or advice,
    )
    return _REFUSED
