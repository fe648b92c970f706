"""One stub as a tree of `ast`, and short helpers that read its nodes.

    items(<f32[nx, ny]>)       ->    [<nx>, <ny>]
    head(<f32[nx, ny]>)        ->    <f32>
    name_of(<f32>)             ->    "f32"

Every tree was checked (`codegen.schema.read`), so it holds only nodes of the language.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from codegen.schema.comments import Doc, Ignore, Rename
from codegen.source import Source, Span

Assignment: TypeAlias = ast.Assign | ast.AnnAssign
ImportStatement: TypeAlias = ast.Import | ast.ImportFrom

OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.BitOr: "|",
    ast.Mod: "%",
    ast.Pow: "**",
}
"""The operators of the language."""


class Stub(Struct, frozen=True):
    """One schema file: its text, its tree, and the content of its comments and docstrings."""

    source: Source
    tree: ast.Module
    docs: dict[ast.AST, Doc]  # of the module, its statements and their parts that have one
    words: tuple[ast.Name, ...]  # the uses of words of the language, imported or not
    ignores: tuple[Ignore, ...]
    renames: dict[ast.AST, list[Rename]]  # of the statements that have former names
    stray_renames: tuple[Rename, ...]  # of no statement

    def doc(self, node: ast.AST) -> str:
        """The documentation of the module, a class, a function or an assignment."""
        comment = self.docs.get(node)
        return comment.text if comment else ""


class ParameterNode(Struct, frozen=True):
    """One parameter of a function, with its default."""

    node: ast.arg
    default: ast.expr | None
    keyword_only: bool

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.arg


def find_repeated(named: Iterable[tuple[str, Span]]) -> Iterator[tuple[str, Span, Span]]:
    """Yield each repeated name, with its position and its first position."""
    first: dict[str, Span] = {}
    for name, span in named:
        if first.setdefault(name, span) is not span:
            yield name, span, first[name]


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the declarations of a body: no docstrings, no `pass` and no `...`."""
    for node in body:
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Call):
                yield node
        elif not isinstance(node, ast.Pass):
            yield node


def string(node: ast.stmt | None) -> str | None:
    """Return the text of a statement that is only a string."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else None
    return None


def target(node: Assignment) -> ast.Name:
    """Return the name that an assignment binds: the language has no other targets."""
    name = node.targets[0] if isinstance(node, ast.Assign) else node.target
    assert isinstance(name, ast.Name)
    return name


def annotation(node: Assignment) -> ast.expr | None:
    """The annotation of an assignment."""
    return node.annotation if isinstance(node, ast.AnnAssign) else None


def bound_name(item: ast.alias) -> str:
    """The name that an import binds in the module."""
    return item.asname or item.name.partition(".")[0]


def parameters(node: ast.FunctionDef) -> list[ParameterNode]:
    """The parameters of a function, in order."""
    named = node.args
    positional = [*named.posonlyargs, *named.args]
    defaults = [*[None] * (len(positional) - len(named.defaults)), *named.defaults]
    return [
        *(ParameterNode(arg, one, False) for arg, one in zip(positional, defaults, strict=True)),
        *(
            ParameterNode(arg, one, True)
            for arg, one in zip(named.kwonlyargs, named.kw_defaults, strict=True)
        ),
    ]


def head(node: ast.expr) -> ast.expr:
    """Return the expression before the brackets; the expression itself if it has none."""
    return node.value if isinstance(node, ast.Subscript) else node


def items(node: ast.expr | None) -> list[ast.expr]:
    """Return the items in the brackets of a subscript; nothing for other expressions."""
    return elements(node.slice) if isinstance(node, ast.Subscript) else []


def elements(node: ast.expr) -> list[ast.expr]:
    """Return the elements of a tuple; any other expression is its own only element."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def name_of(node: ast.AST | None) -> str:
    """Return the name if an expression is one; empty for other expressions."""
    return node.id if isinstance(node, ast.Name) else ""


def dotted(node: ast.expr) -> list[str]:
    """Return the parts of an attribute path: ["np", "float32"]; the first is empty if it is no
    name.
    """
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.insert(0, node.attr)
        node = node.value
    return [name_of(node), *path]


def literal_value(node: ast.expr | None) -> object:
    """The value of a literal without a sign; None for `None` and for other expressions."""
    return node.value if isinstance(node, ast.Constant) else None


def string_values(nodes: Sequence[ast.expr]) -> list[str]:
    """Return the strings among some expressions."""
    return [text for node in nodes if isinstance(text := literal_value(node), str)]
