"""Resolved types: the meaning of the type expressions of a schema.

f32[nx + 1, 3] | None    ->    Union((Array("float32", "f32", (Sum("+", DimName("nx"), Size(1)), Size(3))), NoneType()))
"""

from __future__ import annotations

from collections import Counter, abc
from typing import Any, ClassVar, Final, Literal, TypeAlias

from msgspec import Struct

from codegen.node import Node
from codegen.schema import nodes as declarations

Ref: TypeAlias = declarations.Ref
Placed: TypeAlias = declarations.Placed


def former_refs(ref: Ref, was: tuple[str, ...]) -> tuple[Ref, ...]:
    """Return the former places of a declaration, from its `# codegen: was[...]`.

    former_refs(Ref("a", "Plate"), ("Slab", "b:Slab"))    ->    (Ref("a", "Slab"), Ref("b", "Slab"))
    """
    parts = (name.rpartition(":") for name in was)
    return tuple(Ref(module or ref.module, name) for module, _, name in parts)


def display_names(*refs: Ref) -> list[str]:
    """Return display names of declarations, qualified by module only where ambiguous.

    display_names(Ref("a", "Plate"), Ref("b", "Plate"), Ref("a", "Grid"))    ->    ["a.Plate", "b.Plate", "Grid"]
    """
    names = Counter(ref.name for ref in {*refs})
    return [str(ref) if names[ref.name] > 1 else ref.name for ref in refs]


# --- dimensions


class DimName(Node, frozen=True):
    """A declared dimension, or a parameter of the class."""

    POSITION_FIELDS: ClassVar[frozenset[str]] = frozenset(("mesh",))

    name: str
    # The mesh axes that it is sharded over; a parameter has none of its own.
    mesh: tuple[str, ...] = ()


class Size(Struct, frozen=True):
    """A fixed size."""

    value: int


class DimSum(Struct, frozen=True):
    """Arithmetic over dimensions: `nx + 1`."""

    operator: Literal["+", "-", "*", "//"]
    left: Dim
    right: Dim


class Batch(Struct, frozen=True):
    """`*batch`: any number of dimensions under one name."""

    name: str


class AnyDims(Struct, frozen=True):
    """`...`: any number of dimensions."""


class AnyDim(Struct, frozen=True):
    """`_`: one dimension of any size."""


Dim: TypeAlias = DimName | Size | DimSum | Batch | AnyDims | AnyDim

# --- types


class TypeNode(Placed, frozen=True, kw_only=True):
    """A type with its source position."""

    POSITION_FIELDS: ClassVar[frozenset[str]] = Node.POSITION_FIELDS | {"alias"}

    alias: Ref | None = None  # the alias it was written as; equality ignores it


class Array(TypeNode, frozen=True):
    """An array of one dtype, or of any dtype of a kind."""

    dtype: str  # NumPy's name, "key", or a kind. Example: "float32", "Float"
    spelling: str  # Example: "f32"
    shape: tuple[Dim, ...]
    is_ref: bool = False  # in the role `ref`: the value is a `jax.Ref` of such an array


class Scalar(TypeNode, frozen=True):
    """A Python scalar."""

    name: Literal["int", "float", "bool", "complex", "str", "bytes"]


class NoneType(TypeNode, frozen=True):
    """`None`."""


class Sequence(TypeNode, frozen=True):
    """`tuple[T, ...]`, `tuple[T, layers]`, `frozenset[T]` or `list[T]`; `Sequence[T]`, stored as a
    tuple.
    """

    container: Literal["tuple", "frozenset", "list"]
    element: Type
    size: Dim | None = None  # the length of a tuple; None: any length
    is_any: bool = False  # whether any sequence is accepted: `Sequence[T]`


class FixedTuple(TypeNode, frozen=True):
    """`tuple[A, B]`."""

    elements: tuple[Type, ...]


class Mapping(TypeNode, frozen=True):
    """`frozendict[K, V]` or `dict[K, V]`; `Mapping[K, V]`, stored as a dict."""

    container: Literal["frozendict", "dict"]
    key: Type
    value: Type
    is_any: bool = False  # whether any mapping is accepted: `Mapping[K, V]`


class Union(TypeNode, frozen=True):
    """`A | B`, flat and without repeats."""

    members: tuple[Type, ...]


class Callable(TypeNode, frozen=True):
    """`Callable[[A, B], R]`; parameters None is `Callable[..., R]`."""

    parameters: tuple[Type, ...] | None
    result: Type


class Identity(TypeNode, frozen=True):
    """`identity[T]`: a static value of any type that is compared by identity."""

    type: Type


class PlainType(TypeNode, frozen=True):
    """A type that is one word, such as `dtype`: a row of `PLAIN_TYPES`."""

    name: str


class Anything(TypeNode, frozen=True):
    """`Any`."""


class Literals(TypeNode, frozen=True):
    """`Literal["a", "b"]`."""

    values: tuple[int | str | bytes | bool | None, ...]


class ClassType(TypeNode, frozen=True):
    """A class of the program, with the arguments for its dimension and type parameters."""

    ref: Ref
    dims: tuple[Dim, ...] = ()
    arguments: tuple[Type, ...] = ()
    # The leading axes of all its arrays: those of `stacked[Block, layers]`.
    stacked: tuple[Dim, ...] = ()


class EnumType(TypeNode, frozen=True):
    """An enum of the program."""

    ref: Ref


class External(TypeNode, frozen=True):
    """A Python type from outside the program, imported absolutely."""

    module: str  # Example: "numpy"
    name: str  # Example: "float32"; dotted for an attribute of something in the module
    local: str  # as the schema names it. Example: "np.float32"
    arguments: tuple[Type, ...] = ()


class TypeParameter(TypeNode, frozen=True):
    """A `TypeVar` of the module."""

    name: str


Type: TypeAlias = (
    Array
    | Scalar
    | NoneType
    | Sequence
    | FixedTuple
    | Mapping
    | Union
    | Callable
    | Identity
    | PlainType
    | Anything
    | Literals
    | ClassType
    | EnumType
    | External
    | TypeParameter
)


# A table instead of `match`: this is the most frequent question, and a type that holds nothing
# would be compared with each of these.
_PARTS: Final[abc.Mapping[object, abc.Callable[[Any], tuple[Type, ...]]]] = {
    Sequence: lambda held: (held.element,),
    FixedTuple: lambda held: held.elements,
    Mapping: lambda held: (held.key, held.value),
    Union: lambda held: held.members,
    ClassType: lambda held: held.arguments,
}
_INSIDE: Final[abc.Mapping[object, abc.Callable[[Any], tuple[Type, ...]]]] = {
    **_PARTS,
    Callable: lambda named: (*(named.parameters or ()), named.result),
    Identity: lambda named: (named.type,),
    External: lambda named: named.arguments,
}


def held_children(type: Type) -> tuple[Type, ...]:
    """Return the types directly inside a type whose values it holds (a callable holds none)."""
    getter = _PARTS.get(type.__class__)
    return getter(type) if getter is not None else ()


def children(type: Type) -> tuple[Type, ...]:
    """Return the types directly inside a type, whether or not its values hold values of them."""
    getter = _INSIDE.get(type.__class__)
    return getter(type) if getter is not None else ()


def dims_in(type: Type) -> tuple[Dim, ...]:
    """Return the dimensions that a type itself names, without those of the types inside it."""
    match type:
        case Array():
            return type.shape
        case ClassType():
            return (*type.dims, *type.stacked)
        case Sequence(size=size) if size is not None:
            return (size,)
        case _:
            return ()


def iter_held(type: Type) -> tuple[Type, ...]:
    """Return a type and all types whose values it holds, outermost first."""
    held = held_children(type)
    return (type, *(inner for part in held for inner in iter_held(part))) if held else (type,)


def class_refs(type: Type) -> list[Ref]:
    """Return the classes that a type's values hold, outermost first; each as often as
    it is named.
    """
    return [part.ref for part in iter_held(type) if isinstance(part, ClassType)]


def is_stack(type: Type) -> bool:
    """Return whether a type contains a stack of objects."""
    return any(isinstance(part, ClassType) and part.stacked for part in iter_held(type))


def unwrap_optional(type: Type) -> Type | None:
    """Return T of `T | None`."""
    if not isinstance(type, Union):
        return None
    rest = [member for member in type.members if not isinstance(member, NoneType)]
    return rest[0] if len(rest) == 1 and len(type.members) > 1 else None


def is_int(type: Type) -> bool:
    """Return whether a static value of a type may be the size of a dimension."""
    return isinstance(type, Scalar) and type.name == "int"


def dim_names(dim: Dim) -> list[str]:
    """Return the names in a dimension, in order; `*batch` with its star."""
    match dim:
        case DimName():
            return [dim.name]
        case Batch():
            return [f"*{dim.name}"]
        case DimSum():
            return [*dim_names(dim.left), *dim_names(dim.right)]
        case _:
            return []
