"""Types written as strings, which a stub never needs.

next: static["Node | None"]      QUOTED_ANNOTATION at `"Node | None"`
mode: static[Literal["a"]]       fine: a string is the value there
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.source import Source
from codegen.syntax import nodes

_SHOWN_CHARACTERS_MAX = 40
# What takes dimensions in brackets: a dtype as it is named here, a kind or a class.
_WITH_DIMENSIONS = re.compile(r"(?:bf|[fiuc])\d\w*|key|bool|[A-Z]\w*")


def check_quoted(module: nodes.Module) -> Report:
    """Every string in the place of a type: in annotations, returned types and bases."""
    literals = {"Literal"} | {
        imported.bound
        for statement in module.body
        if isinstance(statement, nodes.ImportFrom)
        for imported in statement.names
        if imported.name == "Literal"
    }
    return Report(
        _quoted(module.source, constant, constant.value, head, is_jaxtyping)
        for written in _types(module.body)
        for constant, head, is_jaxtyping in _constants(written, literals)
        if isinstance(constant.value, str)
    )


def _quoted(
    source: Source, constant: nodes.Constant, text: str, head: str, is_jaxtyping: bool
) -> Diagnostic:
    # Only what is plainly a type is repeated: the rest of a string may be anything.
    is_plain = text.isprintable() and len(text) <= _SHOWN_CHARACTERS_MAX and "`" not in text
    is_type = is_plain and _is_expression(text)
    label = "a schema may use a name above its declaration"
    help_text = f"leave the quotes out: `{text if is_type else 'Type'}`"
    dims = ", ".join(text.split()) if is_plain else "nx, ny"
    if is_jaxtyping or (head and is_plain and not is_type and _is_expression(f"({dims},)")):
        label = "jaxtyping's form"
        form = f"{head}[{dims}]" if dims else head
        help_text = f"write `{form}`: dimensions stand in brackets alone"
    return Diagnostic(
        Code.QUOTED_ANNOTATION,
        source,
        constant.span,
        "a type is written as a string",
        label=label,
        help=help_text,
    )


def _is_expression(text: str) -> bool:
    """Whether a text is one expression of Python, which may stand without its quotes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _types(body: Iterable[nodes.Stmt]) -> Iterator[nodes.Expr]:
    for statement in body:
        if isinstance(statement, nodes.Assign):
            if statement.annotation is not None:
                yield statement.annotation
        elif isinstance(statement, nodes.Class):
            yield from statement.bases
            yield from _types(statement.body)
        elif isinstance(statement, nodes.Function):
            yield from (one.annotation for one in statement.parameters if one.annotation)
            if statement.returns is not None:
                yield statement.returns


def _constants(
    written: nodes.Expr, literals: set[str]
) -> Iterator[tuple[nodes.Constant, str, bool]]:
    """The constants of a type, but for those inside `Literal[...]` and inside calls.

    With what takes dimensions, `f32["nx"]` and `Float[Array, "nx"]`, comes its head, and whether
    it is the second form, which is jaxtyping's.
    """
    waiting = [(written, "")]
    while waiting:
        node, head = waiting.pop()
        match node:
            case nodes.Name():  # as most are
                pass
            case nodes.Constant():
                yield node, head, False
            case nodes.Subscript(
                value=nodes.Name(id=name),
                items=(
                    nodes.Name(id="Array") | nodes.Attribute(name="Array" | "ndarray"),
                    nodes.Constant() as shape,
                ),
            ):
                yield shape, name, True
            case nodes.Subscript(value=value, items=items):
                name = value.id if isinstance(value, nodes.Name) else ""
                inner = name if len(items) == 1 and _WITH_DIMENSIONS.fullmatch(name) else ""
                if not _is_literal(value, literals):
                    waiting += [(item, inner) for item in items]
            case nodes.Tuple(items=items) | nodes.List(items=items):
                waiting += [(item, "") for item in items]
            case nodes.Binary(left=left, right=right):
                waiting += [(left, ""), (right, "")]
            case nodes.Starred(value=value):
                waiting.append((value, ""))
            case _:
                pass


def _is_literal(value: nodes.Expr, literals: set[str]) -> bool:
    if isinstance(value, nodes.Attribute):
        return value.name == "Literal"
    return isinstance(value, nodes.Name) and value.id in literals
