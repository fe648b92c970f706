"""The syntax tree of one stub: what was written, before anybody asks what it means.

    class Grid:
        nx: static[int]  # cells along x

    Module(body=(Class("Grid", body=(
        Assign("nx", annotation=Subscript(Name("static"), (Name("int"),)), doc="cells along x"),
    )),))

Spans are left out of comparisons, so that two trees are equal where they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import EllipsisType
from typing import Literal, TypeAlias

from codegen.source import Source, Span

# --- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """A name: `static`."""

    id: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A name of something: `Scheme.EXPLICIT`."""

    value: Expr
    name: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Subscript:
    """Something with items in brackets: `f32[nx, ny]`."""

    value: Expr
    items: tuple[Expr, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Keyword:
    """`mesh="rows"` in a call or among a class's bases."""

    name: str
    value: Expr
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A call: `Dim(mesh="rows")`."""

    function: Expr
    arguments: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """`0.01`, `"rows"`, `None`, `...`; a sign is a `Unary` around it."""

    value: int | float | complex | str | bytes | bool | EllipsisType | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple: `(1, 2)`."""

    items: tuple[Expr, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class List:
    """`[Field, Field]`, which only `Callable[[Field, Field], Field]` may hold."""

    items: tuple[Expr, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Dict:
    """`{"a": 1}`, which only `frozendict({"a": 1})` may hold."""

    entries: tuple[tuple[Expr, Expr], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands: `nx + 1` or `Field | None`."""

    operator: Literal["+", "-", "*", "//", "/", "|", "%", "**"]
    left: Expr
    right: Expr
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """A sign: `-1`."""

    operator: Literal["-", "+"]
    operand: Expr
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Starred:
    """A star: `*batch`."""

    value: Expr
    span: Span = field(compare=False)


Expr: TypeAlias = (
    Name | Attribute | Subscript | Call | Constant | Tuple | List | Dict | Binary | Unary | Starred
)


# --- statements


@dataclass(frozen=True, slots=True)
class ImportedName:
    """`Material as Stuff`, or `numpy.typing as npt` after `import`."""

    name: str
    alias: str | None
    span: Span = field(compare=False)

    @property
    def bound(self) -> str:
        """The name that it binds in the module."""
        return self.alias or self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ImportFrom:
    """`from .materials import Material`: module "materials", level 1."""

    module: str  # "" in `from . import materials`
    level: int  # the number of dots before the module
    names: tuple[ImportedName, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Import:
    """A module: `import numpy.typing as npt`."""

    names: tuple[ImportedName, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """`nx = Dim()`, `nx: static[int]` or `dx: static[float] = 0.01`."""

    name: str
    annotation: Expr | None
    value: Expr | None
    doc: str  # the statement's last comment or the string below it, else ""
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)
    doc_span: Span | None = field(compare=False, default=None)


@dataclass(frozen=True, slots=True)
class Parameter:
    """`n: static[int] = 1` of a function."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: Literal["positional", "keyword"]  # keyword: it stands after a `*`
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    """`def step(plate: donated[Plate]) -> Plate: ...`; its body holds no more than its docs."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    doc: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)
    doc_span: Span | None = field(compare=False, default=None)


@dataclass(frozen=True, slots=True)
class Expression:
    """A call that stands alone: `share(embed, decoder.embed)`."""

    value: Call
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Class:
    """A class: `class Plate(Base, abstract=True): ...`."""

    name: str
    bases: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    doc: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)
    doc_span: Span | None = field(compare=False, default=None)


Stmt: TypeAlias = ImportFrom | Import | Assign | Function | Expression | Class


@dataclass(frozen=True, slots=True)
class Ignore:
    """`# codegen: ignore[CODE, OTHER]`, which silences lints on its line."""

    line: int  # from 1
    codes: tuple[str, ...]  # as written; empty where the brackets are missing
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Rename:
    """`# codegen: was[OLD]`, which says what the declaration on its line was called before."""

    line: int  # from 1
    name: str


@dataclass(frozen=True, slots=True)
class Module:
    """One stub."""

    doc: str
    body: tuple[Stmt, ...]
    source: Source = field(compare=False, repr=False)
    span: Span = field(compare=False)
    doc_span: Span | None = field(compare=False, default=None)
    ignores: tuple[Ignore, ...] = ()
    renames: tuple[Rename, ...] = ()
