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
parameters are its own: its holder says what they are, see `terms.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

# A name, `*name` for any number of axes, `...` for any number without a name, `_` for
# one of any size; a size; or arithmetic: ("nx", "+", 1).
Dim: TypeAlias = "str | int | tuple[Dim, str, Dim]"
# Mesh axes of one axis of an array.
MeshAxes: TypeAlias = str | tuple[str, ...] | None


# Not frozen, as a module makes one for each of its arrays when it is imported: to fill
# a frozen one takes almost three times as long.
@dataclass(slots=True, init=False)
class Shaped:
    """An array of a dtype, named as NumPy does, of a kind (`Float`), or of keys."""

    dtype: str
    dims: tuple[Dim, ...]
    # In place of what the dimensions give.
    spec: tuple[MeshAxes, ...] | None
    # As those of `jax.nn.initializers`, or where it is found: "module:function".
    init: Any = field(repr=False)  # differs from process to process
    # How many of the first dimensions are those of a stack, of which `spec` says nothing.
    stacked: int

    def __init__(
        self,
        dtype: str,
        *dims: Dim,
        spec: tuple[MeshAxes, ...] | None = None,
        init: Any = None,
        stacked: int = 0,
    ) -> None:
        self.dtype = dtype
        self.dims = dims
        self.spec = spec
        self.init = init
        self.stacked = stacked


class Weak(NamedTuple):
    """A number in a dynamic role: a Python scalar of a type, or a 0-d array."""

    kind: str  # Example: "float"


class Part(NamedTuple):
    """An object of a generated class, and what its parameters are here.

    A parameter that is left out is nothing that the holder knows.
    """

    dims: Mapping[str, Dim] = {}
    # By the name of the type parameter. Example: {"T": Shaped("float32", "nx")}
    types: Mapping[str, "Shape"] = {}
    # The class whose parameters these are. Example: "heat.Plate"
    of: str | None = None
    # What of its class `abstract` of the holder takes, and as what.
    given: Mapping[str, str] = {}
    # The leading axes that all its arrays have: it is several objects in one.
    stacked: tuple[Dim, ...] = ()


@dataclass(slots=True)
class Each:
    """Every element of a tuple or list, or every value of a dict."""

    item: "Shape"
    # The keyword of `abstract` that says how many, or which keys; and the container.
    count: str = ""
    kind: type[Any] = tuple
    # The dimension that says how many.
    size: "Dim | None" = None


@dataclass(slots=True, init=False)
class Items:
    """The elements of a tuple of fixed length."""

    items: "tuple[Shape, ...]"

    def __init__(self, *items: "Shape") -> None:
        self.items = items


@dataclass(slots=True, init=False)
class AnyOf:
    """One of several; `None` stands for itself."""

    options: "tuple[Shape | None, ...]"

    def __init__(self, *options: "Shape | None") -> None:
        self.options = options


class Given(NamedTuple):
    """A value of a type parameter, of which the holder says what it is."""

    parameter: str  # Example: "T"


class Opaque(NamedTuple):
    """A pytree of which the schema says nothing, but for the leading axes of a stack."""

    stacked: tuple[Dim, ...] = ()


Shape: TypeAlias = Shaped | Weak | Part | Each | Items | AnyOf | Given | Opaque


class Parent(NamedTuple):
    """A base, with what its parameters are in the terms of the class that derives from it."""

    dims: Mapping[str, Dim] = {}
    types: Mapping[str, "Shape"] = {}
    # The fields whose shapes are in the base's terms.
    fields: tuple[str, ...] = ()


class Shapes(NamedTuple):
    """The shapes of a class's fields; fields that hold no array are left out.

    Static fields are among them, where they hold constant arrays.
    """

    fields: Mapping[str, Shape] = {}
    # Its own names of dimensions, which its holder knows by others. Example: ("n_in",)
    parameters: tuple[str, ...] = ()
    # Its bases, nearest first, as far as one has parameters. Example: {"heat.Base": ...}
    bases: Mapping[str, Parent] = {}
    # Where static values give a dimension. Example: ("nx", "grid.nx")
    sizes: Mapping[str, tuple[str, ...]] = {}
    # The mesh axes that a dimension is sharded over.
    mesh: Mapping[str, MeshAxes] = {}
    # Those that a keyword of `abstract` gives that is called otherwise, or a static value
    # of a part. Example: {"*batch": "batch", "nx": "plate_grid.nx"}
    known: Mapping[str, str] = {}
    # The fields that `abstract` leaves empty: objects of the class lie in them.
    empty: tuple[str, ...] = ()


NOTHING = Shapes()
