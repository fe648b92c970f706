"""Declared types: descriptions of the content of a field, an argument or a result, as
data.

    array("float32", "nx", ("ny", "+", 1))          # f32[nx, ny + 1]
    tuple_of(part(Linear, {"n_in": "nx"}), ...)     # tuple[Linear[nx], ...]
    optional(function)                              # Callable[..., Any] | None

A scalar type of Python, an enum, a generated class, `None` and `Any` describe
themselves. All other descriptions also convert values. The converter is created on
first use:

    tuple_of(int, ...).static((1, 2), Grid, "sizes")    # ((1, 2), (1, 2)): value and exact tag
    list_of(array("float32")).dynamic([1], Stack, "x")  # [Array(1., dtype=float32)]

`shapes` reads the same descriptions for `check`, `axes`, `abstract` and `init`.
Fingerprints contain their reprs.
"""

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

# A name; `*name` for any number of axes; `...` for any number without a name; `_` for
# one axis of any size; a size; or arithmetic: ("nx", "+", 1).
Dim: TypeAlias = "str | int | tuple[Dim, str, Dim]"
# The mesh axes over which one axis of an array is sharded.
MeshAxes: TypeAlias = str | tuple[str, ...] | None
# The mesh axes of all axes of an array; it overrides the mesh axes of its dimensions.
Spec: TypeAlias = tuple[MeshAxes, ...] | None
# The containers of dynamic values.
CONTAINERS: Final = (tuple, list, dict)
# A description, or a type that describes itself.
Declared: TypeAlias = Any


class DeclaredType:
    """A declared type. Its converters take a value, its owner and its path in the
    owner.

    The derived classes are not dataclasses: creating these would take half of the import
    time of a generated module.
    """

    __slots__ = ("argument", "draft", "dynamic", "result", "static")

    # The attributes in the order of the repr, which is part of fingerprints; and further
    # attributes that `==` compares.
    shown: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()

    def __getattr__(self, name: str) -> Any:
        if name not in DeclaredType.__slots__:
            raise AttributeError(name)
        # Created on first use: a class may be declared after the description that names
        # it.
        convert = converter(self, name)
        setattr(self, name, convert)
        return convert

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self.shown)
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = (*self.shown, *self.hidden)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]


def converter(declared: Declared, place: str) -> Any:
    """Return the function that converts values to a declared type.

    Args:
        declared: the declared type
        place: "static"; "dynamic", "argument" or "result"; or "draft", for values that
            are assigned to a draft
    """
    if place == "static":
        from .statics.composites import converter_of

        return converter_of(declared).convert
    if place == "draft":
        from .drafts.values import draft_converter

        return draft_converter(declared)
    from .containers import LEAVES, build_converter

    return build_converter(LEAVES[place], declared)


class Shaped(DeclaredType):
    """An array of a dtype (with NumPy's name), of a kind (`Float`), or of random keys.

    Attributes:
        dtype: NumPy's name of the dtype, the name of a kind, or "key"
        dims: its dimensions
        spec: the mesh axes of its axes
        stacked: the number of leading dimensions that belong to a stack, which `spec`
            does not cover
        init: an initializer like those of `jax.nn.initializers`, or its place:
            "module:function"
    """

    shown = ("dtype", "dims", "spec", "stacked")
    hidden = ("init",)  # differs from process to process
    __slots__ = (*shown, *hidden)

    def __init__(
        self,
        dtype: str,
        *dims: Dim,
        spec: Spec = None,
        init: Any = None,
        stacked: int = 0,
    ) -> None:
        self.dtype, self.dims = dtype, dims
        self.spec, self.init, self.stacked = spec, init, stacked


class ShapedRef(Shaped):
    """A `jax.Ref` of such an array."""

    __slots__ = ()


class Weak(DeclaredType):
    """A number in a dynamic role: a Python scalar of a type, or a 0-d array."""

    __slots__ = shown = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind  # Example: "float"


class Part(DeclaredType):
    """An object of a generated class, with the values of the parameters of its class.

    A parameter is left out if the holder has no value for it.

    Attributes:
        dims: the values of the dimension parameters
        types: by the name of the type parameter: `{"T": Shaped("float32", "nx")}`
        of: the name of the class ("heat.Plate") that has these parameters; `...` until
            it is looked up
        given: the parameters of the class's `abstract` that the holder's `abstract`
            takes, with their names there; None if the holder's `abstract` does not
            create this object
        stacked: the leading axes of all its arrays, if it is a stack of several objects
        cls: the class, or `Later`; None for any class
    """

    shown = ("dims", "types", "of", "given", "stacked")
    hidden = ("cls",)
    __slots__ = (*shown, *hidden)

    def __init__(
        self,
        cls: Any = None,
        dims: Mapping[str, Dim] | None = None,
        *,
        types: Mapping[str, Declared] | None = None,
        of: Any = ...,
        given: Mapping[str, str] | None = None,
        stacked: tuple[Dim, ...] = (),
    ) -> None:
        self.cls, self.dims, self.types = cls, dims or {}, types or {}
        self.of, self.given, self.stacked = of, given, stacked


class Each(DeclaredType):
    """The elements of a tuple, list or frozenset, or the values of a mapping.

    Attributes:
        item: the type of the elements
        count: the keyword of `abstract` that gives the number of elements, or the keys
        kind: the type of the container
        size: the dimension that determines the number of elements
        key: the type of the keys of a mapping; `...` for other containers
        is_any: whether any sequence or mapping is accepted
    """

    shown = ("item", "count", "kind", "size")
    hidden = ("key", "is_any")
    __slots__ = (*shown, *hidden)

    def __init__(
        self,
        item: Declared,
        count: str = "",
        kind: Any = tuple,
        size: "Dim | None" = None,
        key: Declared = ...,
        is_any: bool = False,
    ) -> None:
        self.item, self.count, self.kind = item, count, kind
        self.size, self.key, self.is_any = size, key, is_any


class Items(DeclaredType):
    """The elements of a tuple of fixed length."""

    __slots__ = shown = ("items",)

    def __init__(self, *items: Declared) -> None:
        self.items = items


class AnyOf(DeclaredType):
    """A union; `None` describes itself."""

    __slots__ = shown = ("options",)

    def __init__(self, *options: Declared) -> None:
        self.options = options


class Given(DeclaredType):
    """A value of a type parameter, which the holder defines."""

    __slots__ = shown = ("parameter",)

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter  # Example: "T"


class Opaque(DeclaredType):
    """A pytree about which the schema declares only the leading axes of a stack."""

    __slots__ = shown = ("stacked",)

    def __init__(self, stacked: tuple[Dim, ...] = ()) -> None:
        self.stacked = stacked


class Literal(DeclaredType):
    """One of some values, of exactly its type."""

    __slots__ = shown = ("values",)

    def __init__(self, *values: Any) -> None:
        self.values = values


class Foreign(DeclaredType):
    """A value of a foreign type, from outside the program."""

    __slots__ = shown = ("kind",)

    def __init__(self, kind: Any) -> None:
        self.kind = kind


class Word(DeclaredType):
    """A static value of a type that one word describes, without parameters."""

    __slots__ = shown = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


# A description that is reduced to its shapes.
Shape: TypeAlias = Shaped | Weak | Part | Each | Items | AnyOf | Given | Opaque


class Later(NamedTuple):
    """A class that does not exist yet when the module that names it is imported."""

    name: str
    module: str
    package: str | None = None


class Parent(NamedTuple):
    """A base class, and the values of its parameters in the derived class."""

    dims: Mapping[str, Dim] = {}
    types: Mapping[str, Declared] = {}
    # The fields whose shapes use the base's parameters.
    fields: tuple[str, ...] = ()


class donated(NamedTuple):
    """The type of a field whose arrays are consumed by calls."""

    declared: Declared


def dynamic(declared: Declared) -> Declared:
    """Return the type of a field whose arrays are kept by calls."""
    return declared


def resolved(cls: Any) -> Any:
    """Return the class of a `Later`, or the class itself."""
    if not isinstance(cls, Later):
        return cls
    return getattr(importlib.import_module(cls.module, cls.package), cls.name)


# --- the names that schemas use


array = Shaped
ref = ShapedRef
part = Part
parameter = Given
literal = Literal
foreign = Foreign
union = AnyOf
later = Later
function: Final = Word("Callable")
dtype: Final = Word("dtype")
identity: Final = Word("identity")


def optional(declared: Declared) -> AnyOf:
    """`T | None`."""
    return AnyOf(declared, None)


def tuple_of(
    *items: Declared, size: "Dim | None" = None, count: str = ""
) -> DeclaredType:
    """`tuple[T, ...]`, `tuple[T, size]`, `tuple[A, B]`."""
    if size is not None or items[1:] == (...,):
        return Each(items[0], count, tuple, size)
    return Items(*items)


def list_of(item: Declared, *, count: str = "") -> Each:
    """`list[T]`."""
    return Each(item, count, list)


def sequence_of(item: Declared, *, count: str = "") -> Each:
    """`Sequence[T]`: any sequence but a text, held as a tuple."""
    return Each(item, count, is_any=True)


def dict_of(key: Declared, item: Declared, *, count: str = "") -> Each:
    """`dict[K, V]`."""
    return Each(item, count, dict, key=key)


def mapping_of(key: Declared, item: Declared, *, count: str = "") -> Each:
    """`Mapping[K, V]`: any mapping, held as a dict of the same order."""
    return Each(item, count, dict, key=key, is_any=True)


def frozenset_of(item: Declared) -> Each:
    """`frozenset[T]`."""
    return Each(item, kind=frozenset)


def frozendict_of(key: Declared, item: Declared) -> Each:
    """`frozendict[K, V]`."""
    from .frozen_dicts import frozendict

    return Each(item, kind=frozendict, key=key)


def has_shapes(declared: Declared) -> bool:
    """Return whether a static value may contain constant arrays, or objects with
    shapes.
    """
    match declared:
        case Shaped() | Part():
            return True
        case Each():
            parts = declared.key, declared.item
            return declared.size is not None or any(map(has_shapes, parts))
        case Items(items=several) | AnyOf(options=several):
            return any(map(has_shapes, several))
        case _:
            return False
