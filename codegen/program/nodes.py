"""The program: names are resolved, classes have all their fields, and the order of classes works.

class Plate(Base): ...    ->    Class(Ref("heat", "Plate"), base=ClassType(Ref("heat", "Base")),
                                      fields=(...))  # inherited ones first
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from msgspec import Struct

from codegen.node import Node
from codegen.program.graph import ClassGraph
from codegen.program.types import ClassType, External, Ref, Type
from codegen.schema import nodes as declarations
from codegen.schema.nodes import (
    NameDecl,
    Placed,
    ShareDecl,
)
from codegen.schema.vocabulary import Role
from codegen.source import NOWHERE, Source, Span

# --- values of defaults


class ValueNode(Placed, frozen=True):
    """A value of a default. `str` formats it as a schema would."""

    @property
    def parts(self) -> tuple[Value, ...]:
        """The values directly inside it."""
        return ()


class Constant(ValueNode, frozen=True):
    """A literal, signed or not."""

    value: int | float | complex | str | bytes | bool | None

    def __str__(self) -> str:
        return ascii(self.value)


class EnumMember(ValueNode, frozen=True):
    """`Scheme.EXPLICIT`."""

    ref: Ref
    member: str

    def __str__(self) -> str:
        return f"{self.ref.name}.{self.member}"


class Construction(ValueNode, frozen=True):
    """`Grid(nx=4)`: a static class called with values."""

    ref: Ref
    arguments: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]

    def __str__(self) -> str:
        keywords = (f"{name}={value}" for name, value in self.keywords)
        return f"{self.ref.name}({', '.join([*map(str, self.arguments), *keywords])})"

    @property
    def parts(self) -> tuple[Value, ...]:
        return (*self.arguments, *(value for _, value in self.keywords))


class Collection(ValueNode, frozen=True):
    """`(1, 2)` or `frozenset((1, 2))`."""

    container: str  # "tuple" or "frozenset"
    items: tuple[Value, ...]

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.items))
        inside = f"({inside},)" if len(self.items) == 1 else f"({inside})"
        return inside if self.container == "tuple" else f"frozenset({inside})"

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.items


class Entries(ValueNode, frozen=True):
    """`frozendict(a=1)` or `frozendict({"a": 1})`."""

    items: tuple[tuple[Value, Value], ...]

    def __str__(self) -> str:
        pairs = ", ".join(f"{key}: {value}" for key, value in self.items)
        return f"frozendict({{{pairs}}})"

    @property
    def parts(self) -> tuple[Value, ...]:
        return tuple(value for pair in self.items for value in pair)


class DTypeName(ValueNode, frozen=True):
    """`f32` as the value of a `dtype` field."""

    dtype: str  # NumPy's name. Example: "float32"
    spelling: str

    def __str__(self) -> str:
        return self.spelling


class Imported(ValueNode, frozen=True):
    """`jax.nn.relu`: an absolutely imported name, or an attribute of one."""

    module: str  # Example: "jax"
    name: str  # Example: "nn.relu"
    spelling: str

    def __str__(self) -> str:
        return self.spelling


class FactoryCall(ValueNode, frozen=True):
    """A value that a function creates for each object: `{}`, `[]`, or
    `field(factory="module:function")`.
    """

    module: str  # "builtins" for `{}` and `[]`
    attribute: str

    def __str__(self) -> str:
        if self.module == "builtins":
            return EMPTY_CONTAINERS[self.attribute]
        return f'field(factory="{self.module}:{self.attribute}")'


Value: TypeAlias = (
    Constant | EnumMember | Construction | Collection | Entries | DTypeName | Imported | FactoryCall
)
# The literals `{}` and `[]`, by the function that creates them.
EMPTY_CONTAINERS: Final = {"dict": "{}", "list": "[]"}


def iter_values(value: Value | None) -> tuple[Value, ...]:
    """Return a value and all values in it, outermost first; nothing where there is none."""
    if value is None:
        return ()
    inner = value.parts
    return (value, *(one for part in inner for one in iter_values(part))) if inner else (value,)


def is_none(value: Value | None) -> bool:
    """Return whether a default is `None`."""
    return isinstance(value, Constant) and value.value is None


# --- options of fields


class FunctionPath(Placed, frozen=True):
    """`"module:function"`."""

    module: str
    attribute: str


class Initializer(Placed, frozen=True):
    """An initializer of `jax.nn.initializers`: `"lecun_normal"`, or `normal(0.02)` with
    arguments.
    """

    name: str
    arguments: tuple[Value, ...] | None = None  # None: named, not called
    keywords: tuple[tuple[str, Value], ...] = ()


# Mesh axes of one dimension: None, one axis, or several.
SpecEntry: TypeAlias = str | tuple[str, ...] | None

# --- declarations

Import: TypeAlias = declarations.Import
Dimension: TypeAlias = declarations.Dimension
Alias: TypeAlias = declarations.Alias[Type]
TypeVariable: TypeAlias = declarations.TypeVariable[Type]
Member: TypeAlias = declarations.Member[Value | None]  # None is `auto()`
Enum: TypeAlias = declarations.Enum[Value | None]
ClassConstant: TypeAlias = declarations.ClassConstant[Type, Value]
Parameter: TypeAlias = declarations.Parameter[Type, Value]
Function: TypeAlias = declarations.Function[Type, Value]


class ImportedTypeVariable(Placed, frozen=True):
    """A type parameter that a module imports from another one of the program."""

    name: str  # in the importing module
    ref: Ref


class Field(Placed, frozen=True, kw_only=True):
    """A field of a class, its own or inherited."""

    name: str
    role: Role
    type: Type
    default: Value | None
    convert: FunctionPath | None
    init: Initializer | FunctionPath | None
    spec: tuple[SpecEntry, ...] | None = None  # (): replicated
    tags: tuple[str, ...]
    doc: str
    owner: Ref  # the class that declares it
    was: tuple[str, ...] = ()  # its former names
    role_span: Span = NOWHERE
    spec_span: Span = NOWHERE
    tag_span: Span = NOWHERE


class Class(declarations.ClassHead, frozen=True, kw_only=True):
    """A class with its own fields and with all of them, inherited ones first."""

    base: ClassType | None
    mixins: tuple[External, ...]
    type_parameters: tuple[str, ...]
    dims: tuple[str, ...]
    eq: bool = True  # False, of it or of a base: a mixin defines `==` and hash
    init: bool = True  # False, of it or of a base: a mixin defines the constructor, `__init__`
    own_fields: tuple[Field, ...]
    fields: tuple[Field, ...]
    constants: tuple[ClassConstant, ...]
    methods: tuple[Function, ...]
    shares: tuple[ShareDecl, ...]  # its bases' first
    reserved: tuple[NameDecl, ...]  # the same order

    @property
    def positional(self) -> tuple[Field, ...]:
        """Return the fields that the constructor takes by position: those before the
        first default.
        """
        if self.kw_only is not None:
            return () if self.kw_only else self.fields
        return tuple(takewhile(lambda field: field.default is None, self.fields))

    @property
    def leaf_order(self) -> tuple[Field, ...]:
        """Return the fields in the order of the leaves and of the static values."""
        if not self.sort_leaves:
            return self.fields
        return tuple(sorted(self.fields, key=lambda field: field.name))

    @property
    def members(self) -> tuple[Field | ClassConstant | Function, ...]:
        """Return the class's own declarations."""
        return (*self.own_fields, *self.constants, *self.methods)

    @property
    def traced_fields(self) -> tuple[Field, ...]:
        """Return the dynamic and donated fields, which are not part of the trace key."""
        return tuple(field for field in self.leaf_order if field.role != "static")

    @property
    def has_creatable_arrays(self) -> bool:
        """Return whether there are arrays that `abstract`, `zeros` and similar methods
        can create.
        """
        return bool(self.traced_fields)


class Module(Node, frozen=True):
    """A module of the program; its classes are in an order in which each can be defined."""

    name: str
    source: Source
    doc: str
    imports: tuple[Import, ...]
    dims: tuple[Dimension, ...]
    typevars: tuple[TypeVariable, ...]
    imported_typevars: tuple[ImportedTypeVariable, ...]
    aliases: tuple[Alias, ...]
    enums: tuple[Enum, ...]
    classes: tuple[Class, ...]
    functions: tuple[Function, ...]
    refs: tuple[tuple[Ref, str], ...]  # its imports from other schemas, with their local names

    @property
    def defined_names(self) -> tuple[str, ...]:
        """Return the names that the generated module defines. Dimensions are not among them."""
        return (
            *(alias.ref.name for alias in self.aliases),
            *(enum.ref.name for enum in self.enums),
            *(node.ref.name for node in self.classes),
            *(typevar.name for typevar in self.typevars),
            *(function.name for function in self.functions),
        )


class Program(Struct, frozen=True, dict=True):
    """All modules of a schema root, sorted by name."""

    modules: tuple[Module, ...]

    @cached_property
    def classes(self) -> dict[Ref, Class]:
        """Return every class by its `Ref`."""
        return {c.ref: c for m in self.modules for c in m.classes}

    @cached_property
    def fields(self) -> dict[Ref, dict[str, Field]]:
        """Return the fields of every class by name."""
        return {ref: {f.name: f for f in node.fields} for ref, node in self.classes.items()}

    def display_name(self, ref: Ref, module: str) -> str:
        """Return how messages about a module name a class: with its module if this one has a class
        of that name.
        """
        own = Ref(module, ref.name)
        is_taken = own in self.classes or own in self.enums
        return str(ref) if is_taken and own != ref else ref.name

    @cached_property
    def enums(self) -> dict[Ref, Enum]:
        """Return every enum by its `Ref`."""
        return {e.ref: e for m in self.modules for e in m.enums}

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Return the functions of all modules."""
        return tuple(function for module in self.modules for function in module.functions)

    @cached_property
    def graph(self) -> ClassGraph[Ref]:
        """Return the graph of bases and contained classes. Only for a program without mistakes."""
        classes = self.classes
        return ClassGraph(
            {ref: node.base.ref if node.base else None for ref, node in classes.items()},
            {
                ref: [(f.role, inner) for f in node.fields for inner in f.type.class_refs]
                for ref, node in classes.items()
            },
            frozenset(ref for ref, node in classes.items() if node.abstract),
        )
