"""The schema as the author wrote it, typed by kind of declaration. Names are not resolved yet.

    class Plate:                       ClassDecl("Plate", fields=(
        u: donated[f32[nx]]  # [K]         FieldDecl("u", "donated", <f32[nx]>, doc="[K]"),))

Types and defaults are still expressions of `ast`. The stage `program` resolves their names. A node
with parameters belongs to both stages: `Parameter[ast.expr, ast.expr]` is a parameter as the author
wrote it, `Parameter[Type, Value]` is the same one with its names resolved.
"""

import ast
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from codegen.node import Node
from codegen.schema.vocabulary import LanguageWord, Role
from codegen.source import NOWHERE, Source, Span

T = TypeVar("T")
V = TypeVar("V")
Use: TypeAlias = Literal["static", "dynamic"]
FunctionKind: TypeAlias = Literal["function", "method", "property", "classmethod", "staticmethod"]


class Placed(Node, frozen=True, kw_only=True):
    """A node with a position in the source."""

    span: Span = NOWHERE


class Ref(Struct, frozen=True, order=True, gc=False):
    """A class, enum or alias of the program: the module it is declared in, and its name there."""

    module: str  # Example: "a.b"
    name: str  # Example: "Plate"

    def __str__(self) -> str:
        """Format it as an import path."""
        return f"{self.module}.{self.name}"


class Import(Placed, frozen=True):
    """One imported name: `from .materials import Material as M`, or `import numpy as np`."""

    name: str  # the local name: "M"
    module: str  # Example: "materials", "numpy"; relative ones without their dots
    level: int  # leading dots: 0 is absolute
    attribute: str  # Example: "Material"; "" imports the module itself


class Dimension(Placed, frozen=True):
    """`nx = Dim(mesh="rows")  # cells along x`."""

    name: str
    mesh: tuple[str, ...]  # mesh axes over which the dimension is sharded
    doc: str
    was: tuple[str, ...] = ()


class Alias(Placed, Generic[T], frozen=True):
    """`Field = f32[nx, ny]`."""

    ref: Ref
    type: T
    doc: str
    was: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in its module."""
        return self.ref.name


class TypeVariable(Placed, Generic[T], frozen=True):
    """`T = TypeVar("T", bound=Model)`."""

    name: str
    bound: T | None
    constraints: tuple[T, ...]


class Member(Placed, Generic[V], frozen=True):
    """One member of an enum: `EXPLICIT = "explicit"`."""

    name: str
    value: V
    doc: str
    was: tuple[str, ...] = ()


class Enum(Placed, Generic[V], frozen=True):
    """`class Scheme(Enum): ...`."""

    ref: Ref
    kind: str  # Example: "IntEnum"
    members: tuple[Member[V], ...]
    doc: str
    was: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in its module."""
        return self.ref.name


class ImplDecl(Placed, frozen=True):
    """`@impl("heat_model:step")`."""

    module: str
    attribute: str  # Example: "step", "Model.step"
    checks: bool = True  # of dtypes and shapes
    keep_unused: bool = False
    inline: bool = False
    compiler_options: tuple[tuple[str, str | float], ...] = ()  # for XLA
    traces: int | None = None  # the budget

    @property
    def path(self) -> str:
        """Return it as in the schema: "heat_model:step"."""
        return f"{self.module}:{self.attribute}"


class FieldDecl(Placed, frozen=True):
    """`u: donated[f32[nx]] = 0.0  # temperature [K]`."""

    name: str
    role: Role
    type: ast.expr
    default: ast.expr | None
    options: tuple[tuple[str, ast.expr], ...]  # of `field(...)`. Example: ("init", <"zeros">)
    doc: str
    was: tuple[str, ...] = ()  # its former names
    role_span: Span = NOWHERE


class ClassConstant(Placed, Generic[T, V], frozen=True):
    """`order: ClassVar[int] = 2`."""

    name: str
    type: T
    value: V
    doc: str


class Parameter(Placed, Generic[T, V], frozen=True):
    """A parameter of a function (with a role) or of a method (role None)."""

    name: str
    role: Role | None
    type: T
    default: V | None
    keyword_only: bool
    role_span: Span = NOWHERE


class Function(Placed, Generic[T, V], frozen=True):
    """A function or method of a schema (`self` and `cls` are not parameters)."""

    name: str
    impl: ImplDecl
    parameters: tuple[Parameter[T, V], ...]
    returns: T
    kind: FunctionKind
    doc: str
    was: tuple[str, ...] = ()


ParameterDecl: TypeAlias = Parameter[ast.expr, ast.expr]
FunctionDecl: TypeAlias = Function[ast.expr, ast.expr]


class PathDecl(Placed, frozen=True):
    """`encoder.embed` in `share(...)`."""

    parts: tuple[str, ...]


class ShareDecl(Placed, frozen=True):
    """`share(embed, encoder.embed)`: the first path owns."""

    paths: tuple[PathDecl, ...]


class NameDecl(Placed, frozen=True):
    """One name of `dims=(n_in, n_out)`, or of `reserved("dx")`, which no field may use again."""

    name: str


class MigrationDecl(Placed, frozen=True):
    """`@impl("migrations:split")` on `def migrate(since="3f2a9c01")`."""

    since: str  # the first digits of the digest of an earlier schema of the class
    impl: ImplDecl


class ClassHead(Placed, frozen=True, kw_only=True):
    """The parts of a class that need no resolving: they are the same in both stages."""

    ref: Ref
    abstract: bool = False
    use: Use | None = None
    kw_only: bool | None = None  # None: from the first default on
    draft: bool = False  # whether it asks for a draft
    sort_leaves: bool = False  # whether the names of its fields are the order of its leaves
    migrations: tuple[MigrationDecl, ...]
    doc: str
    was: tuple[str, ...] = ()  # Example: "Slab", "heat.plates:Slab"
    use_span: Span = NOWHERE

    @property
    def name(self) -> str:
        """Its name in its module."""
        return self.ref.name

    @property
    def head(self) -> dict[str, Any]:
        """Return all attributes by name, for the class of the next stage."""
        return {name: getattr(self, name) for name in ClassHead.__struct_fields__}


class ClassDecl(ClassHead, frozen=True, kw_only=True):
    """A schema class, with everything in its statement and body."""

    bases: tuple[ast.expr, ...]
    dims: tuple[NameDecl, ...]
    eq: bool = True  # False: a mixin defines `==` and hash
    init: bool = True  # False: a mixin defines the constructor, `__init__`
    fields: tuple[FieldDecl, ...]
    constants: tuple[ClassConstant[ast.expr, ast.expr], ...]
    methods: tuple[FunctionDecl, ...]
    shares: tuple[ShareDecl, ...]
    reserved: tuple[NameDecl, ...]


class ModuleDecl(Struct, frozen=True):
    """One schema file."""

    source: Source
    doc: str
    imports: tuple[Import, ...]
    dims: tuple[Dimension, ...]
    aliases: tuple[Alias[ast.expr], ...]
    typevars: tuple[TypeVariable[ast.expr], ...]
    enums: tuple[Enum[ast.expr], ...]
    classes: tuple[ClassDecl, ...]
    functions: tuple[FunctionDecl, ...]
    words: tuple[tuple[str, LanguageWord], ...]  # the words of the language, by local name

    @property
    def name(self) -> str:
        """Return the dotted module name: "a.b" for schemas/a/b.pyi."""
        return self.source.module


Decl: TypeAlias = (
    Dimension | Alias[ast.expr] | TypeVariable[ast.expr] | Enum[ast.expr] | ClassDecl | FunctionDecl
)

Kind: TypeAlias = Literal["dimension", "alias", "type parameter", "enum", "class", "function"]

KINDS: Final[dict[type[Decl], Kind]] = {
    Dimension: "dimension",
    Alias: "alias",
    TypeVariable: "type parameter",
    Enum: "enum",
    ClassDecl: "class",
    Function: "function",
}


def declarations(module: ModuleDecl) -> list[Decl]:
    """Return the declarations of a module, kind by kind."""
    declarations: list[Decl] = [*module.dims, *module.aliases, *module.typevars]
    return [*declarations, *module.enums, *module.classes, *module.functions]
