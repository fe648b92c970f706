"""Declared types: descriptions of the content of a field, an argument or a result, as
data.

    array("float32", "nx", ("ny", "+", 1))          # f32[nx, ny + 1]
    tuple_of(part(Linear, {"n_in": "nx"}), ...)     # tuple[Linear[nx], ...]
    optional(function)                              # Callable[..., Any] | None

A scalar type of Python, an enum, a generated class, `None` and `Any` describe
themselves; `described` returns their description. Descriptions convert values. The
converters are created on first use:

    tuple_of(int, ...).static((1, 2), Grid, "sizes")    # ((1, 2), (1, 2)): value and exact tag
    list_of(array("float32")).dynamic([1], Stack, "x")  # [Array(1., dtype=float32)]

A new kind of declared type is a class here, with its methods. `shapes` reads the same
descriptions for `check`, `axes`, `abstract` and `init`. Fingerprints contain their reprs.
"""

import builtins
import enum
import importlib
import types
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, Union

from . import containers
from .containers import Leaves
from .converters import Convert
from .frozen_dicts import frozendict
from .keys.names import Generated
from .statics import composites
from .statics.composites import Converter

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

_UNION: Final[Any] = Union


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

    # Whether every value is one leaf.
    is_leaf: bool = False

    def __getattr__(self, name: str) -> Any:
        if name not in DeclaredType.__slots__:
            raise AttributeError(name)
        # Created on first use: a class may be declared after the description that names
        # it.
        if name == "static":
            convert: object = self.static_converter().convert
        else:
            convert = self.converter(containers.leaves_of(name))
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

    def static_converter(self) -> Converter:
        """Return the converter of static values; by default it accepts any."""
        return composites.ANY

    def converter(self, leaves: Leaves) -> Convert:
        """Return the function that converts other values.

        Args:
            leaves: the converters of values that contain no others, for one place: a
                field, an argument, a result or a draft
        """
        return leaves.other

    def has_shapes(self) -> bool:
        """Return whether a static value may contain constant arrays, or objects with
        shapes.
        """
        return False

    def python_type(self, otherwise: object) -> object:
        """Return the Python type of the values; `otherwise` is the type of all leaves."""
        return otherwise


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

    is_leaf = True

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

    def static_converter(self) -> Converter:
        return composites.constant(self.dtype)

    def converter(self, leaves: Leaves) -> Convert:
        return containers.select(leaves.array, self.dtype)

    def has_shapes(self) -> bool:
        return True


class ShapedRef(Shaped):
    """A `jax.Ref` of such an array."""

    __slots__ = ()

    def converter(self, leaves: Leaves) -> Convert:
        from .refs import as_ref

        return containers.select(as_ref, self.dtype)


class Weak(DeclaredType):
    """A number in a dynamic role: a Python scalar of a type, or a 0-d array."""

    __slots__ = shown = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind  # Example: "float"

    def converter(self, leaves: Leaves) -> Convert:
        return described(getattr(builtins, self.kind)).converter(leaves)


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

    def static_converter(self) -> Converter:
        return composites.instance(resolved(self.cls))

    def converter(self, leaves: Leaves) -> Convert:
        return containers.select(leaves.part, resolved(self.cls))

    def has_shapes(self) -> bool:
        return True

    def python_type(self, otherwise: object) -> object:
        return resolved(self.cls)


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

    def static_converter(self) -> Converter:
        item = described(self.item).static_converter()
        if self.kind is frozendict:
            key = described(self.key).static_converter()
            return composites.frozendict_of(key, item)
        is_set = self.kind is frozenset
        return composites.frozenset_of(item) if is_set else composites.repeated(item)

    def converter(self, leaves: Leaves) -> Convert:
        item = described(self.item).converter(leaves)
        if self.kind is dict:
            return containers.mapping(item, described(self.key).static, self.is_any)
        return containers.repeated(self.kind, item, self.is_any)

    def has_shapes(self) -> bool:
        parts = described(self.key), described(self.item)
        return self.size is not None or any(part.has_shapes() for part in parts)

    def python_type(self, otherwise: object) -> object:
        if self.kind is not tuple:
            return otherwise
        item = described(self.item).python_type(otherwise)
        return types.GenericAlias(tuple, (item, ...))


class Items(DeclaredType):
    """The elements of a tuple of fixed length."""

    __slots__ = shown = ("items",)

    def __init__(self, *items: Declared) -> None:
        self.items = items

    def static_converter(self) -> Converter:
        return composites.fixed([one.static_converter() for one in all_of(self.items)])

    def converter(self, leaves: Leaves) -> Convert:
        return containers.fixed([one.converter(leaves) for one in all_of(self.items)])

    def has_shapes(self) -> bool:
        return any(one.has_shapes() for one in all_of(self.items))

    def python_type(self, otherwise: object) -> object:
        items = tuple(one.python_type(otherwise) for one in all_of(self.items))
        return types.GenericAlias(tuple, items)


class AnyOf(DeclaredType):
    """A union; `None` describes itself."""

    __slots__ = shown = ("options",)

    def __init__(self, *options: Declared) -> None:
        self.options = options

    def static_converter(self) -> Converter:
        return composites.union(
            [one.static_converter() for one in all_of(self.options)]
        )

    def converter(self, leaves: Leaves) -> Convert:
        options = [one.converter(leaves) for one in all_of(self.options)]
        is_free = {*options} == {leaves.other}
        return leaves.other if is_free else containers.union(options)

    def has_shapes(self) -> bool:
        return any(one.has_shapes() for one in all_of(self.options))

    def python_type(self, otherwise: object) -> object:
        return _UNION[tuple(one.python_type(otherwise) for one in all_of(self.options))]


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

    def static_converter(self) -> Converter:
        return composites.literal(self.values)


class Foreign(DeclaredType):
    """A value of a foreign type, from outside the program."""

    __slots__ = shown = ("kind",)

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def static_converter(self) -> Converter:
        return composites.foreign(self.kind)

    def converter(self, leaves: Leaves) -> Convert:
        # A class of another package.
        is_part = isinstance(self.kind, type) and issubclass(self.kind, Generated)
        return containers.select(leaves.part, self.kind) if is_part else leaves.other


class Word(DeclaredType):
    """A static value of a type that one word describes, without parameters."""

    __slots__ = ("_convert", "name")
    shown = ("name",)

    def __init__(self, name: str, convert: Converter) -> None:
        self.name, self._convert = name, convert

    def static_converter(self) -> Converter:
        return self._convert


# --- types that describe themselves


class PlainScalar(DeclaredType):
    """A number, a bool, a str or bytes."""

    __slots__ = ("is_leaf", "kind")
    shown = ("kind",)

    def __init__(self, kind: type[Any]) -> None:
        self.kind = kind
        # Whether there is a number in a traced place.
        self.is_leaf = kind not in (str, bytes)

    def static_converter(self) -> Converter:
        return composites.SCALARS[self.kind]

    def converter(self, leaves: Leaves) -> Convert:
        return (
            containers.select(leaves.scalar, self.kind)
            if self.is_leaf
            else leaves.other
        )

    def python_type(self, otherwise: object) -> object:
        return self.kind if otherwise is object else otherwise


class PlainClass(DeclaredType):
    """A generated class, or an enum."""

    __slots__ = shown = ("cls",)

    def __init__(self, cls: type[Any]) -> None:
        self.cls = cls

    def static_converter(self) -> Converter:
        is_enum = issubclass(self.cls, enum.Enum)
        return (composites.member if is_enum else composites.instance)(self.cls)

    def converter(self, leaves: Leaves) -> Convert:
        return containers.select(leaves.part, self.cls)

    def python_type(self, otherwise: object) -> object:
        return self.cls


class PlainNone(DeclaredType):
    """`None`."""

    __slots__ = ()

    def static_converter(self) -> Converter:
        return composites.NONE

    def converter(self, leaves: Leaves) -> Convert:
        return containers.nothing

    def python_type(self, otherwise: object) -> object:
        return None


_SCALARS: Final = {kind: PlainScalar(kind) for kind in composites.SCALARS}
_NOTHING: Final = PlainNone()
_ANYTHING: Final = DeclaredType()


def described(declared: Declared) -> DeclaredType:
    """Return a description; the one of a type that describes itself."""
    if isinstance(declared, DeclaredType):
        return declared
    if declared is None:
        return _NOTHING
    declared = resolved(declared)
    # `Any` is a class on some versions of Python.
    if not isinstance(declared, type) or declared is Any:
        return _ANYTHING
    return _SCALARS.get(declared) or PlainClass(declared)


def all_of(several: Sequence[Declared]) -> list[DeclaredType]:
    """Return the descriptions of several types."""
    return [*map(described, several)]


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
function: Final = Word("Callable", composites.CALLABLE)
dtype: Final = Word("dtype", composites.DTYPE)
identity: Final = Word("identity", composites.IDENTITY)


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
    return Each(item, kind=frozendict, key=key)
