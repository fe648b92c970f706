"""Resolved types: the meaning of the type expressions of a schema.

f32[nx + 1, 3] | None    ->    Union((Array("float32", "f32", (Sum("+", DimName("nx"), Size(1)), Size(3))), NoneType()))
"""

from __future__ import annotations

from collections import Counter, abc
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec.structs import replace

from codegen.node import Node
from codegen.schema import nodes as declarations
from codegen.source import Span

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


class Dim(Node, frozen=True):
    """The size of one axis, or of several. `str` formats it as a schema would."""

    @property
    def parts(self) -> tuple[Dim, ...]:
        """The dimensions directly inside it."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it, in order; `*batch` with its star."""
        return ()

    def operands(self, operator: str) -> tuple[Dim, ...]:
        """Return the operands of a sum or a product, however it is bracketed; else itself."""
        return (self,)

    def substitute(self, dims: abc.Mapping[str, Dim]) -> Dim:
        """Return it with these dimensions for its names."""
        return self

    def canonical(self, names: abc.Mapping[str, str]) -> Dim:
        """Return a form that is equal where the meaning is: with new names, and operands sorted."""
        return self


class DimName(Dim, frozen=True):
    """A declared dimension, or a parameter of the class."""

    POSITION_FIELDS: ClassVar[frozenset[str]] = frozenset(("mesh",))

    name: str
    # The mesh axes that it is sharded over; a parameter has none of its own.
    mesh: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def substitute(self, dims: abc.Mapping[str, Dim]) -> Dim:
        return dims.get(self.name, self)

    def canonical(self, names: abc.Mapping[str, str]) -> Dim:
        return replace(self, name=names.get(self.name, self.name))


class Size(Dim, frozen=True):
    """A fixed size."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class DimSum(Dim, frozen=True):
    """Arithmetic over dimensions: `nx + 1`."""

    operator: Literal["+", "-", "*", "//"]
    left: Dim
    right: Dim

    def __str__(self) -> str:
        sides = (f"({side})" if isinstance(side, DimSum) else str(side) for side in self.parts)
        return f" {self.operator} ".join(sides)

    @property
    def parts(self) -> tuple[Dim, ...]:
        return self.left, self.right

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.left.names, *self.right.names)

    def substitute(self, dims: abc.Mapping[str, Dim]) -> Dim:
        left, right = self.left.substitute(dims), self.right.substitute(dims)
        if AnyDim() in (left, right):
            return AnyDim()
        return DimSum(self.operator, left, right)

    def canonical(self, names: abc.Mapping[str, str]) -> Dim:
        if self.operator in ("-", "//"):
            return DimSum(self.operator, *(side.canonical(names) for side in self.parts))
        # `n + 1` equals `1 + n`: the order of operands does not change a sum.
        operands = (one.canonical(names) for one in self.operands(self.operator))
        return self._balanced_tree(sorted(operands, key=str))

    def operands(self, operator: str) -> tuple[Dim, ...]:
        if self.operator != operator:
            return (self,)
        return (*self.left.operands(operator), *self.right.operands(operator))

    def _balanced_tree(self, operands: abc.Sequence[Dim]) -> Dim:
        """Return one tree of operands, always the same for the same operands; a flat one would be
        deeper than Python's stack.
        """
        if len(operands) == 1:
            return operands[0]
        half = len(operands) // 2
        left, right = self._balanced_tree(operands[:half]), self._balanced_tree(operands[half:])
        return DimSum(self.operator, left, right)


class Batch(Dim, frozen=True):
    """`*batch`: any number of dimensions under one name."""

    name: str

    def __str__(self) -> str:
        return f"*{self.name}"

    @property
    def names(self) -> tuple[str, ...]:
        return (str(self),)

    def canonical(self, names: abc.Mapping[str, str]) -> Dim:
        return Batch(names.get(self.name, self.name))


class AnyDims(Dim, frozen=True):
    """`...`: any number of dimensions."""

    def __str__(self) -> str:
        return "..."


class AnyDim(Dim, frozen=True):
    """`_`: one dimension of any size."""

    def __str__(self) -> str:
        return "_"


# --- types


class Type(Placed, frozen=True, kw_only=True):
    """A type with its source position. `str` formats it as a schema would, classes by their bare
    names.

    A new type says which of its fields hold types and dimensions, and how it is written. The rest
    follows.
    """

    POSITION_FIELDS: ClassVar[frozenset[str]] = Node.POSITION_FIELDS | {"alias"}
    TYPES: ClassVar[tuple[str, ...]] = ()
    """The fields with the types directly inside it: each has a type, a tuple of types, or None."""
    DIMS: ClassVar[tuple[str, ...]] = ()
    """The fields with its dimensions."""
    HOLDS: ClassVar[bool] = True
    """Whether its values hold values of the types inside it. A callable holds none."""

    alias: Ref | None = None  # the alias it was written as; equality ignores it

    @property
    def children(self) -> tuple[Type, ...]:
        """The types directly inside it, whether or not its values hold values of them."""
        return self._parts(self.TYPES) if self.TYPES else ()

    @property
    def held(self) -> tuple[Type, ...]:
        """The types directly inside it whose values its values hold."""
        return self._parts(self.TYPES) if self.TYPES and self.HOLDS else ()

    @property
    def own_dims(self) -> tuple[Dim, ...]:
        """The dimensions that it names, without those of the types inside it."""
        return self._parts(self.DIMS) if self.DIMS else ()

    @property
    def parts(self) -> tuple[Type | Dim, ...]:
        """Its dimensions, and the types directly inside it."""
        return (*self.own_dims, *self.children)

    def _parts(self, fields: tuple[str, ...]) -> tuple[Any, ...]:
        values = (getattr(self, name) for name in fields)
        return tuple(
            part
            for value in values
            if value is not None
            for part in (value if isinstance(value, tuple) else (value,))
        )

    def map(
        self,
        change: abc.Callable[[Type], Type],
        change_dim: abc.Callable[[Dim], Dim] = lambda dim: dim,
    ) -> Type:
        """Return the type with each type directly inside it changed, and each of its dimensions."""
        changed: dict[str, Any] = {}
        for names, one in ((self.TYPES, change), (self.DIMS, change_dim)):
            for name in names:
                value = getattr(self, name)
                if value is not None:
                    changed[name] = (
                        tuple(map(one, value)) if isinstance(value, tuple) else one(value)
                    )
        return replace(self, **changed) if changed else self

    def substitute(self, dims: abc.Mapping[str, Dim], arguments: abc.Mapping[str, Type]) -> Type:
        """Return the type with these dimensions and types for the parameters of a class.

        f32[n_in, n_out], {"n_in": pixels, "n_out": Size(10)}, {}    ->    f32[pixels, 10]
        """
        return self.map(
            lambda part: part.substitute(dims, arguments), lambda dim: dim.substitute(dims)
        )

    def with_span(self, span: Span) -> Type:
        """Return the type with one source position for all of it: that of an alias's name, for
        example.
        """
        moved = self.map(lambda part: part.with_span(span))
        return replace(moved, span=span, alias=self.alias)

    def walk(self) -> tuple[Type, ...]:
        """Return the type and all types inside it, outermost first."""
        inner = self.children
        return (self, *(one for part in inner for one in part.walk())) if inner else (self,)

    def iter_held(self) -> tuple[Type, ...]:
        """Return the type and all types whose values it holds, outermost first."""
        held = self.held
        return (self, *(one for part in held for one in part.iter_held())) if held else (self,)

    @property
    def class_refs(self) -> list[Ref]:
        """The classes that its values hold, outermost first; each as often as it is named."""
        return [part.ref for part in self.iter_held() if isinstance(part, ClassType)]

    @property
    def is_stack(self) -> bool:
        """Whether it contains a stack of objects."""
        return any(isinstance(part, ClassType) and part.stacked for part in self.iter_held())

    @property
    def is_int(self) -> bool:
        """Whether a static value of it may be the size of a dimension."""
        return isinstance(self, Scalar) and self.name == "int"

    @property
    def options(self) -> tuple[Type, ...]:
        """The members of a union; of any other type, that type."""
        return (self,)

    @property
    def without_none(self) -> Type:
        """T of `T | None`; of any other type, that type."""
        rest = [option for option in self.options if not isinstance(option, NoneType)]
        return rest[0] if len(rest) == 1 else self


def _bracketed(head: str, *items: object) -> str:
    """Format a name with the items in its brackets, if any."""
    return f"{head}[{', '.join(map(str, items))}]" if items else head


class Array(Type, frozen=True):
    """An array of one dtype, or of any dtype of a kind."""

    DIMS: ClassVar = ("shape",)

    dtype: str  # NumPy's name, "key", or a kind. Example: "float32", "Float"
    spelling: str  # Example: "f32"
    shape: tuple[Dim, ...]
    is_ref: bool = False  # in the role `ref`: the value is a `jax.Ref` of such an array

    def __str__(self) -> str:
        return _bracketed(self.spelling, *self.shape)


class Named(Type, frozen=True):
    """A type that is written as one name."""

    name: str

    def __str__(self) -> str:
        return self.name


class Scalar(Named, frozen=True):
    """A Python scalar: `int`, `float`, `bool`, `complex`, `str` or `bytes`."""


class PlainType(Named, frozen=True):
    """A type that is one word, such as `dtype`: a row of `PLAIN_TYPES`."""


class TypeParameter(Named, frozen=True):
    """A `TypeVar` of the module."""

    def substitute(self, dims: abc.Mapping[str, Dim], arguments: abc.Mapping[str, Type]) -> Type:
        return arguments.get(self.name, self)


class NoneType(Type, frozen=True):
    """`None`."""

    def __str__(self) -> str:
        return "None"


class Sequence(Type, frozen=True):
    """`tuple[T, ...]`, `tuple[T, layers]`, `frozenset[T]` or `list[T]`; `Sequence[T]`, stored as a
    tuple.
    """

    TYPES: ClassVar = ("element",)
    DIMS: ClassVar = ("size",)

    container: Literal["tuple", "frozenset", "list"]
    element: Type
    size: Dim | None = None  # the length of a tuple; None: any length
    is_any: bool = False  # whether any sequence is accepted: `Sequence[T]`

    def __str__(self) -> str:
        if self.is_any:
            return _bracketed("Sequence", self.element)
        count = ["..." if self.size is None else self.size] * (self.container == "tuple")
        return _bracketed(self.container, self.element, *count)


class FixedTuple(Type, frozen=True):
    """`tuple[A, B]`."""

    TYPES: ClassVar = ("elements",)

    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return _bracketed("tuple", *(self.elements or ("()",)))


class Mapping(Type, frozen=True):
    """`frozendict[K, V]` or `dict[K, V]`; `Mapping[K, V]`, stored as a dict."""

    TYPES: ClassVar = ("key", "value")

    container: Literal["frozendict", "dict"]
    key: Type
    value: Type
    is_any: bool = False  # whether any mapping is accepted: `Mapping[K, V]`

    def __str__(self) -> str:
        return _bracketed("Mapping" if self.is_any else self.container, self.key, self.value)


class Union(Type, frozen=True):
    """`A | B`, flat and without repeats: see `union`."""

    TYPES: ClassVar = ("members",)

    members: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))

    def map(
        self,
        change: abc.Callable[[Type], Type],
        change_dim: abc.Callable[[Dim], Dim] = lambda dim: dim,
    ) -> Type:
        return union(tuple(map(change, self.members)), self.span)

    @property
    def options(self) -> tuple[Type, ...]:
        return self.members


def union(members: tuple[Type, ...], span: Span) -> Type:
    """Return a union, flat and without repeats; of one member, that member."""
    flat = dict.fromkeys(one for member in members for one in member.options)
    return next(iter(flat)) if len(flat) == 1 else Union(tuple(flat), span=span)


class Callable(Type, frozen=True):
    """`Callable[[A, B], R]`; parameters None is `Callable[..., R]`."""

    TYPES: ClassVar = ("parameters", "result")
    HOLDS: ClassVar = False

    parameters: tuple[Type, ...] | None
    result: Type

    def __str__(self) -> str:
        parameters = (
            "..." if self.parameters is None else f"[{', '.join(map(str, self.parameters))}]"
        )
        return _bracketed("Callable", parameters, self.result)


class Identity(Type, frozen=True):
    """`identity[T]`: a static value of any type that is compared by identity."""

    TYPES: ClassVar = ("type",)
    HOLDS: ClassVar = False

    type: Type

    def __str__(self) -> str:
        return _bracketed("identity", self.type)


class Anything(Type, frozen=True):
    """`Any`."""

    def __str__(self) -> str:
        return "Any"


class Literals(Type, frozen=True):
    """`Literal["a", "b"]`."""

    values: tuple[int | str | bytes | bool | None, ...]

    def __str__(self) -> str:
        return _bracketed("Literal", *map(ascii, self.values))


class ClassType(Type, frozen=True):
    """A class of the program, with the arguments for its dimension and type parameters."""

    TYPES: ClassVar = ("arguments",)
    DIMS: ClassVar = ("dims", "stacked")

    ref: Ref
    dims: tuple[Dim, ...] = ()
    arguments: tuple[Type, ...] = ()
    # The leading axes of all its arrays: those of `stacked[Block, layers]`.
    stacked: tuple[Dim, ...] = ()

    def __str__(self) -> str:
        text = _bracketed(self.ref.name, *self.dims, *self.arguments)
        for dim in reversed(self.stacked):
            text = _bracketed("stacked", text, dim)
        return text


class EnumType(Type, frozen=True):
    """An enum of the program."""

    ref: Ref

    def __str__(self) -> str:
        return self.ref.name


class External(Type, frozen=True):
    """A Python type from outside the program, imported absolutely."""

    TYPES: ClassVar = ("arguments",)
    HOLDS: ClassVar = False

    module: str  # Example: "numpy"
    name: str  # Example: "float32"; dotted for an attribute of something in the module
    local: str  # as the schema names it. Example: "np.float32"
    arguments: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return _bracketed(self.local, *self.arguments)
