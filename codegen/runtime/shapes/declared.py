"""What a schema declares of the shapes in a class: data for `check`, `axes`, `specs`.

    Shapes(
        {
            "u": Shaped("float32", "nx", "ny"),
            "faces": Shaped("float32", ("nx", "+", 1)),
            "first": Part({"n_in": "nx", "n_out": 10}),
            "layers": Each(Part({"n_in": 10, "n_out": 10})),
        },
        sizes={"nx": ("grid.nx",)},
        mesh={"nx": "rows"},
    )

Within an object one name is one size, nested objects included. The names of a class's
parameters are its own: its holder says what they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

# A name, `*name` for any number of axes, `...` for any number without a name, `_` for
# one of any size; a size; or arithmetic: ("nx", "+", 1).
Dim: TypeAlias = "str | int | tuple[Dim, str, Dim]"
# Mesh axes of one axis of an array.
MeshAxes: TypeAlias = str | tuple[str, ...] | None


# Not frozen, as a module makes one for each of its arrays when it is imported: to fill
# a frozen one takes almost three times as long.
@dataclass(slots=True, init=False, unsafe_hash=True)
class Shaped:
    """An array of a dtype, named as NumPy does, of a kind (`Float`), or of keys."""

    dtype: str
    dims: tuple[Dim, ...]
    # In place of what the dimensions give.
    spec: tuple[MeshAxes, ...] | None
    # As those of `jax.nn.initializers`, or where it is found: "module:function".
    init: Any = field(repr=False, compare=False)  # differs from process to process

    def __init__(
        self,
        dtype: str,
        *dims: Dim,
        spec: tuple[MeshAxes, ...] | None = None,
        init: Any = None,
    ) -> None:
        self.dtype = dtype
        self.dims = dims
        self.spec = spec
        self.init = init


@dataclass(frozen=True, slots=True)
class Weak:
    """A number in a dynamic role: a Python scalar of a type, or a 0-d array."""

    kind: str  # Example: "float"


@dataclass(frozen=True, slots=True)
class Part:
    """An object of a generated class, and what its parameters are here.

    A parameter that is left out is nothing that the holder knows.
    """

    dims: Mapping[str, Dim] = field(default_factory=dict[str, Dim])
    # By the name of the type parameter. Example: {"T": Shaped("float32", "nx")}
    types: Mapping[str, "Shape"] = field(default_factory=dict[str, "Shape"])
    # The class whose parameters these are. Example: "heat.Plate"
    of: str | None = None
    # What of its class `abstract` of the holder takes, and as what.
    given: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Each:
    """Every element of a tuple or list, or every value of a dict."""

    item: "Shape"
    # The keyword of `abstract` that says how many, or which keys; and the container.
    count: str = ""
    kind: type[Any] = tuple


@dataclass(frozen=True, slots=True, init=False)
class Items:
    """The elements of a tuple of fixed length."""

    items: "tuple[Shape, ...]"

    def __init__(self, *items: "Shape") -> None:
        object.__setattr__(self, "items", items)


@dataclass(frozen=True, slots=True, init=False)
class AnyOf:
    """One of several; `None` stands for itself."""

    options: "tuple[Shape | None, ...]"

    def __init__(self, *options: "Shape | None") -> None:
        object.__setattr__(self, "options", options)


@dataclass(frozen=True, slots=True)
class Given:
    """A value of a type parameter, of which the holder says what it is."""

    parameter: str  # Example: "T"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A pytree of which the schema says nothing."""


Shape: TypeAlias = "Shaped | Weak | Part | Each | Items | AnyOf | Given | Opaque"


@dataclass(frozen=True, slots=True)
class Parent:
    """A base, with what its parameters are in the terms of the class that derives from it."""

    dims: Mapping[str, Dim] = field(default_factory=dict[str, Dim])
    types: Mapping[str, "Shape"] = field(default_factory=dict[str, "Shape"])
    # The fields whose shapes are in the base's terms.
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of a class's fields; fields that hold no array are left out.

    Static fields are among them, where they hold constant arrays.
    """

    fields: Mapping[str, Shape] = field(default_factory=dict[str, Shape])
    # Its own names of dimensions, which its holder knows by others. Example: ("n_in",)
    parameters: tuple[str, ...] = ()
    # Its bases, nearest first, as far as one has parameters. Example: {"heat.Base": ...}
    bases: Mapping[str, Parent] = field(default_factory=dict[str, Parent])
    # Where static values give a dimension. Example: ("nx", "grid.nx")
    sizes: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    # The mesh axes that a dimension is sharded over.
    mesh: Mapping[str, MeshAxes] = field(default_factory=dict[str, MeshAxes])
    # Those that a keyword of `abstract` gives that is called otherwise, or a static value
    # of a part. Example: {"*batch": "batch", "nx": "plate_grid.nx"}
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    # The fields that `abstract` leaves empty: objects of the class lie in them.
    empty: tuple[str, ...] = ()


NOTHING = Shapes()
