"""Data about a package: its modules, its pytree classes, and what they declare.

SourceClass(name="Plate", module="heat.plate", mechanism="flax.struct",
            fields=(SourceField("u", ...),), ...)
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.package import SourceModule, UnreadableFile

Role: TypeAlias = Literal["static", "dynamic"]


class SourceField(Struct, frozen=True):
    """A field as the class declares it."""

    name: str
    role: Role
    annotation: ast.expr
    line: int
    module: str
    """The module that declares it. Names in the annotation are looked up there."""
    default: ast.expr | None = None
    factory: ast.expr | None = None
    doc: str = ""
    comments_above: tuple[str, ...] = ()
    """The lines of comments above it."""
    options: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr])
    """The arguments of the library's `field(...)`, except default and factory."""
    is_keyword: bool = False
    """Whether it is keyword-only in the constructor."""

    @property
    def is_required(self) -> bool:
        """Whether the constructor needs it."""
        return self.default is None and self.factory is None


class ClassRefusal(Struct, frozen=True):
    """Why a class is left as it is."""

    construct: str  # for counting. Example: "own __init__"
    line: int
    why: str
    instead: str


class SourceClass(Struct, frozen=True):
    """A pytree class."""

    name: str  # its qualified name. Example: "Plate"
    module: str
    path: str
    line: int
    node: ast.ClassDef
    library: str  # Example: "flax.struct"
    fields: tuple[SourceField, ...]
    """Its own fields in order, without those of its bases."""
    bases: tuple[str, ...]
    """Absolute names, without type parameters. Example: ("heat.base.Base",)"""
    parameters: tuple[str, ...] = ()
    """The TypeVars of `Generic[...]`."""
    options: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """The options of the decorator. Example: {"kw_only": True}"""
    refusals: tuple[ClassRefusal, ...] = ()
    dropped: frozenset[str] = frozenset()
    """The methods that a generated class has too, with the same result."""

    @property
    def full_name(self) -> str:
        """Example: "heat.plate.Plate"."""
        return f"{self.module}.{self.name}"

    @property
    def mixin_name(self) -> str:
        """Return the name of the mixin that contains its methods in the source."""
        plain = self.name.lstrip("_")
        return f"_{plain}{'_' * (len(self.name) - len(plain))}Methods"

    @property
    def is_frozen(self) -> bool:
        """Return whether the class is declared frozen; some libraries freeze all classes."""
        return self.options.get("frozen", False)

    @property
    def annotations(self) -> dict[str, ast.expr]:
        """Return the annotations in the body."""
        return {
            one.target.id: one.annotation
            for one in self.node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }

    @property
    def methods(self) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return the methods that the body defines with `def`."""
        return {
            one.name: one
            for one in self.node.body
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }


class ChangedUse(Struct, frozen=True):
    """A line whose meaning changes once the classes are generated."""

    kind: str  # Example: "mapping"
    path: str = field(name="file")
    line: int
    why: str


class ObjectUse(Struct, frozen=True):
    """Code that does with an object what a generated class does not support."""

    kind: str  # Example: "attribute assignment"
    module: str
    path: str
    place: tuple[int, int, int, int]
    """The expression of the object: first line and column, last line and column."""
    code: str  # Example: "plate.u = u"
    classes: frozenset[str]
    """The classes that the object can have."""
    is_own: bool = False
    """Whether the object is `self`, in the body of one of these classes."""
    is_vague: bool = False
    """Whether such code usually has objects of other classes; it is only reported."""
    is_any: bool = False
    """Whether the object can be anything, because no type and no name shows its class."""
    is_read: bool = False
    """Whether it reads the `__dict__` of the object, and does not change or keep it."""

    @property
    def key(self) -> str:
        """Return the key under which an observed command records objects."""
        return f"{self.module}:{':'.join(map(str, self.place))}"

    @property
    def location(self) -> str:
        """Example: "heat/plate.py:12"."""
        return f"{self.path}:{self.place[0]}"


class FoundClasses(Struct, frozen=True):
    """All results for a package."""

    package: str
    modules: Mapping[str, SourceModule]
    names: PackageNames
    classes: Mapping[str, SourceClass]  # by full name, in the order of files and lines
    unread: tuple[UnreadableFile, ...] = ()
    uses: tuple[ChangedUse, ...] = ()
    object_uses: tuple[ObjectUse, ...] = ()
    written: Mapping[tuple[str, str], Sequence[ast.expr]] = {}
    """By class and field, what constructor calls and `replace` give to the field."""
    mixins: Mapping[str, SourceClass] = {}
    """Classes without fields that stay plain Python bases, and are no longer in `classes`."""
    with_dict: frozenset[str] = frozenset()
    """Classes whose mixin defines `__dict__`, because code reads it."""
    with_types: frozenset[str] = frozenset()
    """Classes of mjx, and those that their fields hold: mjx reads the types of their fields."""

    def all_fields(self, cls: SourceClass) -> dict[str, SourceField]:
        """Return the fields of a class and of its bases, in constructor order."""
        fields: dict[str, SourceField] = {}
        for base in reversed(cls.bases):
            if base in self.classes and self.classes[base] is not cls:
                fields |= self.all_fields(self.classes[base])
        return fields | {field.name: field for field in cls.fields}

    def has_own_init(self, cls: SourceClass) -> bool:
        """Return whether the constructor of a class is an `__init__` of its own or of a base."""
        bases = (self.classes[one] for one in {*cls.bases} & {*self.classes} - {cls.full_name})
        return "__init__" in cls.methods or any(map(self.has_own_init, bases))
