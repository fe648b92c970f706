"""Check the expressions of a stub, and advise what to write instead of each that is outside the
language.

f32[nx, ny + 1]        fine
lambda: 3              OUTSIDE_LANGUAGE: a lambda is not allowed in a schema
static["Node | None"]  QUOTED_ANNOTATION at `"Node | None"`
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Final

from codegen.diagnostics import Code, Related
from codegen.schema.comments import Comments, Doc, Rename, Scan
from codegen.schema.scope import SHORT, Scope
from codegen.schema.stub import OPERATORS, dotted, find_repeated, items, name_of
from codegen.schema.text import (
    DEPTH_MAX,
    DIGITS_MAX,
    NODES_MAX,
    nested_too_deeply,
    number_too_large,
    too_many_nodes,
)
from codegen.schema.vocabulary import DTYPES, HOME_OF_WORD, KINDS
from codegen.source import Located, Source

NEVER_RUN: Final = "a schema is only parsed, never run"

_COMPREHENSION = ("a comprehension", "write the items: `(a, b)`")
_OUTSIDE: dict[type[ast.expr], tuple[str, str]] = {
    ast.Lambda: (
        "a lambda",
        "define a function at the top level of your own Python module. Pass it to the constructor, "
        'or write its path, "module:function"',
    ),
    ast.ListComp: _COMPREHENSION,
    ast.SetComp: _COMPREHENSION,
    ast.DictComp: _COMPREHENSION,
    ast.GeneratorExp: ("a generator", "write the items: `(a, b)`"),
    ast.NamedExpr: ("`:=`", "write the assignment on its own line: `name = value`"),
    ast.Set: ("a set", "write `frozenset({a, b})`"),
    ast.Slice: ("a slice", "write a single item; for a dimension of any size, write `_`"),
    ast.IfExp: ("a conditional expression", "write the value"),
    ast.Compare: ("a comparison", "write the value"),
    ast.BoolOp: (
        "`and` or `or`",
        "write the value; for a union of types, write `A | B`",
    ),
}


class ExpressionChecker:
    """Checks expressions, and keeps the mistakes that it found.

    `head` is None for an expression that is not part of a type. In a type it is the name before the
    brackets around the expression if that name is a dtype or a kind, else "".
    """

    def __init__(self, source: Source, scanned: Scan) -> None:
        self.source = source
        self.code = scanned.code  # the text without comments and strings
        self.comments = Comments(source, scanned.comments)
        self.docs: dict[ast.AST, Doc] = {}
        self.renames: dict[ast.AST, list[Rename]] = {}
        self.scope = Scope(source)
        self.literals = {"Literal"}  # how the module names it
        self.words: list[ast.Name] = []  # of the language, where they are used
        self.dims: set[str] = set()  # the dimension parameters of all classes
        self._nodes = 0

    def is_full(self, node: Located) -> bool:
        """Count one more node, and return whether there are too many. Too many nodes are reported
        once.
        """
        self._nodes += 1
        if self._nodes == NODES_MAX + 1:
            self.scope.add_diagnostic(too_many_nodes(self.source.span(node)))
        return self._nodes > NODES_MAX

    def check_expressions(
        self, nodes: Iterable[ast.expr], depth: int = 0, head: str | None = None
    ) -> None:
        """Check several expressions."""
        for node in nodes:
            self.check_expression(node, depth, head)

    def check_keywords(self, nodes: Sequence[ast.keyword], depth: int = 0) -> None:
        """Check the keywords of a call or of a class."""
        for node in nodes:
            if node.arg is None:
                message = "`**` is not allowed here, because it hides which keywords are given"
                self.scope.outside_language(
                    node, message, advice="write each keyword: `name=value`"
                )
            else:
                self.check_expression(node.value, depth)
        named = ((node.arg, self.source.name_span(node)) for node in nodes if node.arg)
        for name, span, first in find_repeated(named):
            # Python refuses this only when it compiles.
            self.scope.add(
                Code.DUPLICATE_NAME,
                span,
                f"the keyword argument `{name}` is given twice",
                label=f"the second `{name}`",
                advice="remove one of the two",
                related=(Related(first, f"the first `{name}`"),),
            )

    def check_expression(self, node: ast.expr, depth: int = 0, head: str | None = None) -> None:
        """Check an expression and all its parts."""
        if depth > DEPTH_MAX:
            self.scope.add_diagnostic(nested_too_deeply(self.source.span(node)))
            return
        if self.is_full(node):
            return
        depth += 1
        inner = None if head is None else ""
        match node:
            case ast.Name(id=name):  # the common case
                if name in HOME_OF_WORD:
                    self.words.append(node)
            case ast.Subscript():
                self._subscript(node, depth, head)
            case ast.Constant():
                self._constant(node, head)
            case ast.Attribute(value=value):
                self.check_expression(value, depth)
            case ast.Starred(value=value):
                self.check_expression(value, depth, inner)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                self.check_expressions(elts, depth, inner)
            case ast.Call():
                self.check_expression(node.func, depth)
                self._arguments(node, depth)
                self.check_keywords(node.keywords, depth)
            case ast.Dict():
                self._dict(node, depth)
            case ast.BinOp(left=left, right=right):
                is_known = type(node.op) in OPERATORS
                self.check_expressions((left, right), depth, inner if is_known else None)
                if not is_known:
                    message = "this operator is not part of the schema language"
                    advice = "write the value, or arithmetic with `+ - * // / % **`"
                    self.scope.outside_language(node, message, advice=advice)
            case ast.UnaryOp():
                self.check_expression(node.operand, depth)
                if not isinstance(node.op, ast.USub | ast.UAdd):
                    word = "not" if isinstance(node.op, ast.Not) else "~"
                    message = f"`{word}` is not part of the schema language"
                    self.scope.outside_language(node, message, advice="write the value")
            case _:
                self._report_outside_language(node)

    def _constant(self, node: ast.Constant, head: str | None) -> None:
        if not _is_printable(node.value):
            self.scope.add_diagnostic(number_too_large(self.source.span(node)))
        elif head is not None and isinstance(node.value, str):
            self._quoted(node, node.value, head)

    def _subscript(self, node: ast.Subscript, depth: int, head: str | None) -> None:
        self.check_expression(node.value, depth)
        arguments, name = items(node), name_of(node.value)
        match node.value, arguments:
            case _ if head is None or name in self.literals:
                self.check_expressions(arguments, depth)
            case ast.Attribute(attr="Literal"), _:
                self.check_expressions(arguments, depth)
            case (
                ast.Name(),
                [
                    ast.Name(id="Array") | ast.Attribute(attr="Array" | "ndarray"),
                    ast.Constant(value=text) as quoted,
                ],
            ):
                # jaxtyping's `Float[Array, "nx ny"]` and `Float[jax.Array, "nx ny"]`.
                self.check_expressions(arguments, depth)
                if isinstance(text, str):
                    self._quoted(quoted, text, name, is_jaxtyping=True)
            case _:
                is_array = len(arguments) == 1 and name in ("bool", *DTYPES, *KINDS)
                self.check_expressions(arguments, depth, name if is_array else "")

    def _arguments(self, node: ast.Call, depth: int) -> None:
        match node:
            case ast.Call(func=ast.Name(id="frozenset"), args=[ast.Set(elts=elts) as only]):
                # As Python parses it. It counts as a node, as a tuple does there.
                if not self.is_full(only):
                    self.check_expressions(elts, depth + 1)
            case ast.Call(func=ast.Name(id="share")):
                # Paths of attributes, whose names may be those of words.
                self.check_expressions((one for one in node.args if not dotted(one)[0]), depth)
            case _:
                self.check_expressions(node.args, depth)

    def _dict(self, node: ast.Dict, depth: int) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                message = "`**` is not allowed here, because it hides which entries the dict has"
                self.scope.outside_language(value, message, advice="write each entry: `key: value`")
            else:
                self.check_expressions((key, value), depth)

    def _report_outside_language(self, node: ast.expr) -> None:
        what, advice = _OUTSIDE.get(type(node), ("this expression", "write the value"))
        message = f"{what} is not allowed in a schema"
        self.scope.outside_language(node, message, label=NEVER_RUN, advice=advice)

    def _quoted(self, node: ast.expr, text: str, head: str, *, is_jaxtyping: bool = False) -> None:
        if is_jaxtyping or head:
            names = text.replace(",", " ").split()
            is_plain = text.isprintable() and "`" not in text and len(text) <= SHORT
            form = f"{head}[{', '.join(names) if is_plain else 'nx, ny'}]" if names else head
            message, label = "dimensions are written as a string", "expected names without quotes"
            advice = f"write `{form}`: the brackets contain only dimensions"
        else:
            message, label = "a type is written as a string", "a type in quotes"
            advice = "remove the quotes: a schema can use a name above its declaration"
        self.scope.add(Code.QUOTED_ANNOTATION, node, message, label, advice)


def _is_printable(value: object) -> bool:
    """Return whether a number can be written into a file and read back."""
    if isinstance(value, int):
        # The power is large, so compute it only for numbers of nearly that size.
        return value.bit_length() < DIGITS_MAX * 3 or value < 10**DIGITS_MAX
    if isinstance(value, complex):
        return isfinite(value.imag)
    return not isinstance(value, float) or isfinite(value)
