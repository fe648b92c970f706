"""The syntax tree of one stub: what was written, before anybody asks what it means.

    class Grid:
        nx: static[int]  # cells along x

    Module(body=(Class("Grid", body=(
        Assign("nx", annotation=Subscript(Name("static"), (Name("int"),)), doc="cells along x"),
    )),))

Spans are left out of comparisons, so that two trees are equal where they say the same.
"""

from __future__ import annotations

from types import EllipsisType
from typing import Literal, TypeAlias

from codegen.node import Node
from codegen.source import Source, Span

# --- expressions


class Name(Node, frozen=True):
    """A name: `static`."""

    id: str
    span: Span


class Attribute(Node, frozen=True):
    """A name of something: `Scheme.EXPLICIT`."""

    value: Expr
    name: str
    span: Span
    name_span: Span


class Subscript(Node, frozen=True):
    """Something with items in brackets: `f32[nx, ny]`."""

    value: Expr
    items: tuple[Expr, ...]
    span: Span


class Keyword(Node, frozen=True):
    """`mesh="rows"` in a call or among a class's bases."""

    name: str
    value: Expr
    span: Span
    name_span: Span


class Call(Node, frozen=True):
    """A call: `Dim(mesh="rows")`."""

    function: Expr
    arguments: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    span: Span


class Constant(Node, frozen=True):
    """`0.01`, `"rows"`, `None`, `...`; a sign is a `Unary` around it."""

    value: int | float | complex | str | bytes | bool | EllipsisType | None
    span: Span


class Tuple(Node, frozen=True):
    """A tuple: `(1, 2)`."""

    items: tuple[Expr, ...]
    span: Span


class List(Node, frozen=True):
    """`[Field, Field]`, which only `Callable[[Field, Field], Field]` may hold."""

    items: tuple[Expr, ...]
    span: Span


class Dict(Node, frozen=True):
    """`{"a": 1}`, which only `frozendict({"a": 1})` may hold."""

    entries: tuple[tuple[Expr, Expr], ...]
    span: Span


class Binary(Node, frozen=True):
    """Two operands: `nx + 1` or `Field | None`."""

    operator: Literal["+", "-", "*", "//", "/", "|", "%", "**"]
    left: Expr
    right: Expr
    span: Span


class Unary(Node, frozen=True):
    """A sign: `-1`."""

    operator: Literal["-", "+"]
    operand: Expr
    span: Span


class Starred(Node, frozen=True):
    """A star: `*batch`."""

    value: Expr
    span: Span


Expr: TypeAlias = (
    Name | Attribute | Subscript | Call | Constant | Tuple | List | Dict | Binary | Unary | Starred
)


# --- statements


class ImportedName(Node, frozen=True):
    """`Material as Stuff`, or `numpy.typing as npt` after `import`."""

    name: str
    alias: str | None
    span: Span

    @property
    def bound(self) -> str:
        """The name that it binds in the module."""
        return self.alias or self.name.partition(".")[0]


class ImportFrom(Node, frozen=True):
    """`from .materials import Material`: module "materials", level 1."""

    module: str  # "" in `from . import materials`
    level: int  # the number of dots before the module
    names: tuple[ImportedName, ...]
    span: Span


class Import(Node, frozen=True):
    """A module: `import numpy.typing as npt`."""

    names: tuple[ImportedName, ...]
    span: Span


class Assign(Node, frozen=True):
    """`nx = Dim()`, `nx: static[int]` or `dx: static[float] = 0.01`."""

    name: str
    annotation: Expr | None
    value: Expr | None
    doc: str  # the statement's last comment or the string below it, else ""
    span: Span
    name_span: Span
    doc_span: Span | None = None


class Parameter(Node, frozen=True):
    """`n: static[int] = 1` of a function."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: Literal["positional", "keyword"]  # keyword: it stands after a `*`
    span: Span
    name_span: Span


class Function(Node, frozen=True):
    """`def step(plate: donated[Plate]) -> Plate: ...`; its body holds no more than its docs."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    doc: str
    span: Span
    name_span: Span
    doc_span: Span | None = None


class Expression(Node, frozen=True):
    """A call that stands alone: `share(embed, decoder.embed)`."""

    value: Call
    span: Span


class Class(Node, frozen=True):
    """A class: `class Plate(Base, abstract=True): ...`."""

    name: str
    bases: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    doc: str
    span: Span
    name_span: Span
    doc_span: Span | None = None


Stmt: TypeAlias = ImportFrom | Import | Assign | Function | Expression | Class


class Ignore(Node, frozen=True):
    """`# codegen: ignore[CODE, OTHER]`, which silences lints on its line."""

    line: int  # from 1
    codes: tuple[str, ...]  # as written; empty where the brackets are missing
    span: Span


class Rename(Node, frozen=True):
    """`# codegen: was[OLD, OLDER]`: what the declaration on its line was called before."""

    line: int  # from 1
    names: tuple[str, ...]  # as written. Example: "columns", "heat.plates:Slab"
    span: Span


class Module(Node, frozen=True):
    """One stub."""

    doc: str
    body: tuple[Stmt, ...]
    source: Source
    span: Span
    doc_span: Span | None = None
    ignores: tuple[Ignore, ...] = ()
    renames: tuple[Rename, ...] = ()
