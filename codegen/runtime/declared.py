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

`shapes` reads the same descriptions for `check`, `axes`, `abstract` and `init`. Other
packages read them by the names of these classes, and fingerprints contain their reprs.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

# A name; `*name` for any number of axes; `...` for any number without a name; `_` for
# one axis of any size; a size; or arithmetic: ("nx", "+", 1).
Dim: TypeAlias = "str | int | tuple[Dim, str, Dim]"
# The mesh axes over which one axis of an array is sharded.
MeshAxes: TypeAlias = str | tuple[str, ...] | None
# The mesh axes of all axes of an array; it overrides the mesh axes of its dimensions.
Spec: TypeAlias = tuple[MeshAxes, ...] | None
# A description, or a type that describes itself.
Declared: TypeAlias = Any

# The modules that create converters, by use: for a static value; for a value in a
# field, an argument or a result; for a value that is assigned to a draft.
_CONVERTERS: Final = {
    "static": "statics.composites",
    "dynamic": "containers",
    "argument": "containers",
    "result": "containers",
    "draft": "drafts.values",
}


class DeclaredType:
    """A declared type. Its converters take a value, its owner and its path in the
    owner.
    """

    __slots__ = ("argument", "draft", "dynamic", "result", "static")

    def __getattr__(self, name: str) -> Any:
        if name not in _CONVERTERS:
            raise AttributeError(name)
        # Created on first use: a class may be declared after the description that names
        # it.
        convert = converter(self, name)
        setattr(self, name, convert)
        return convert


def converter(declared: Declared, place: str) -> Any:
    """Return the function that converts values in a place to a declared type."""
    home = importlib.import_module(f".{_CONVERTERS[place]}", __package__)
    return home.converter(declared, place)


# These classes are not frozen. A module creates one for each of its arrays on import,
# and filling a frozen one takes almost three times as long.
@dataclass(slots=True, init=False)
class Shaped(DeclaredType):
    """An array of a dtype (with NumPy's name), of a kind (`Float`), or of random keys."""

    dtype: str
    dims: tuple[Dim, ...]
    spec: Spec
    # An initializer like those of `jax.nn.initializers`, or its place:
    # "module:function".
    init: Any = field(repr=False)  # differs from process to process
    # The number of leading dimensions that belong to a stack; `spec` does not cover
    # these.
    stacked: int

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


@dataclass(slots=True)
class Weak(DeclaredType):
    """A number in a dynamic role: a Python scalar of a type, or a 0-d array."""

    kind: str  # Example: "float"


@dataclass(slots=True, init=False)
class Part(DeclaredType):
    """An object of a generated class, with the values of the parameters of its class.

    A parameter is left out if the holder has no value for it.
    """

    dims: Mapping[str, Dim]
    # By the name of the type parameter. Example: {"T": Shaped("float32", "nx")}
    types: Mapping[str, Declared]
    # The name of the class ("heat.Plate") that has these parameters; `...` until it is
    # looked up.
    of: Any
    # The parameters of the class's `abstract` that the holder's `abstract` takes, with
    # their names there. None: the holder's `abstract` does not create this object.
    given: Mapping[str, str] | None
    # The leading axes of all its arrays, if it is a stack of several objects.
    stacked: tuple[Dim, ...]
    # The class, or `Later`; None if another package gives only its name.
    cls: Any = field(repr=False)

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


@dataclass(slots=True)
class Each(DeclaredType):
    """The elements of a tuple, list or frozenset, or the values of a mapping."""

    item: Declared
    # The keyword of `abstract` that gives the number of elements, or the keys; and the
    # container type, None if another package does not state it.
    count: str = ""
    kind: Any = tuple
    # The dimension that determines the number of elements.
    size: "Dim | None" = None
    # The type of the keys of a mapping, `...` if another package does not state it; and
    # whether any sequence or mapping is accepted.
    key: Declared = field(default=..., repr=False)
    is_any: bool = field(default=False, repr=False)


@dataclass(slots=True, init=False)
class Items(DeclaredType):
    """The elements of a tuple of fixed length."""

    items: tuple[Declared, ...]

    def __init__(self, *items: Declared) -> None:
        self.items = items


@dataclass(slots=True, init=False)
class AnyOf(DeclaredType):
    """A union; `None` describes itself."""

    options: tuple[Declared, ...]

    def __init__(self, *options: Declared) -> None:
        self.options = options


@dataclass(slots=True)
class Given(DeclaredType):
    """A value of a type parameter, which the holder defines."""

    parameter: str  # Example: "T"


@dataclass(slots=True)
class Opaque(DeclaredType):
    """A pytree about which the schema declares only the leading axes of a stack."""

    stacked: tuple[Dim, ...] = ()


@dataclass(slots=True, init=False)
class Literal(DeclaredType):
    """One of some values, of exactly its type."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        self.values = values


@dataclass(slots=True)
class Foreign(DeclaredType):
    """A value of a foreign type, from outside the program."""

    kind: Any


@dataclass(slots=True)
class Word(DeclaredType):
    """A static value of a type that one word describes, without parameters."""

    name: str


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
    return Each(item, kind="frozendict", key=key)


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
