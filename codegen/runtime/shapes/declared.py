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
parameters are its own, and its holder says what they are:

    class Linear(dims=(n_in, n_out)): w: dynamic[f32[n_in, n_out]]
    class Mlp: first: dynamic[Linear[pixels, hidden]]

    part = Part({"n_in": "pixels", "n_out": "hidden"}, of="mlp.Linear")
    declared_of(Linear.__codegen_record__, part, "Mlp.first").fields["w"]
    # Shaped("float32", "pixels", "hidden")

Another generated package has shapes of its own, read by the names of their classes.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

# A name, `*name` for any number of axes, `...` for any number without a name, `_` for
# one of any size; a size; or arithmetic: ("nx", "+", 1).
Dim: TypeAlias = "str | int | tuple[Dim, str, Dim]"
# Mesh axes of one axis of an array.
MeshAxes: TypeAlias = str | tuple[str, ...] | None
# Those of all its axes, in place of what the dimensions give.
Spec: TypeAlias = tuple[MeshAxes, ...] | None


# Not frozen, as a module makes one for each of its arrays when it is imported: to fill
# a frozen one takes almost three times as long.
@dataclass(slots=True, init=False)
class Shaped:
    """An array of a dtype, named as NumPy does, of a kind (`Float`), or of keys."""

    dtype: str
    dims: tuple[Dim, ...]
    spec: Spec
    # As those of `jax.nn.initializers`, or where it is found: "module:function".
    init: Any = field(repr=False)  # differs from process to process
    # How many of the first dimensions are those of a stack, of which `spec` says nothing.
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
    # The keyword of `abstract` that says how many, or which keys; and the container, None
    # where another package does not say it.
    count: str = ""
    kind: Any = tuple
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


# --- dimensions


def is_variadic(dim: Dim) -> bool:
    """Tell whether it stands for any number of axes: `*batch` and `...`."""
    return isinstance(dim, str) and dim.startswith(("*", "..."))


def fits_rank(dims: Sequence[Dim], ndim: int) -> bool:
    """Tell whether an array may have so many axes, where these are declared."""
    many = sum(map(is_variadic, dims))
    return ndim == len(dims) or (many > 0 and ndim >= len(dims) - many)


def names_of(dim: Dim) -> list[str]:
    """Return the names in a dimension, each once."""
    if isinstance(dim, str):
        return [dim]
    if isinstance(dim, int):
        return []
    return list(dict.fromkeys([*names_of(dim[0]), *names_of(dim[2])]))


def named_in(shape: Shape | None) -> set[str]:
    """Return the names of the dimensions in a shape."""
    match shape:
        case Shaped():
            return {name for dim in shape.dims for name in names_of(dim)}
        case Part():
            names = set[str]().union(
                *map(names_of, (*shape.dims.values(), *shape.stacked))
            )
            return names.union(*map(named_in, shape.types.values()))
        case Each():
            return named_in(shape.item)
        case Items(items=several) | AnyOf(options=several):
            return set[str]().union(*map(named_in, several))
        case Opaque():
            return set[str]().union(*map(names_of, shape.stacked))
        case _:
            return set()


def in_terms(dim: Dim, terms: Mapping[str, Dim]) -> Dim:
    """Return a dimension of a class in the terms of what holds it."""
    if isinstance(dim, str):
        return terms.get(dim, dim)
    if isinstance(dim, int):
        return dim
    left, right = in_terms(dim[0], terms), in_terms(dim[2], terms)
    # Of what may be any size, nothing is known in a sum either.
    return "_" if "_" in (left, right) else (left, dim[1], right)


def shown_dim(dim: Dim) -> str:
    """Return a dimension as a schema has it."""
    if not isinstance(dim, tuple):
        return re.sub("@.*", "", str(dim))
    texts = (f"({shown_dim(one)})" if isinstance(one, tuple) else one for one in dim)
    return " ".join(map(shown_dim, texts))


# --- in the terms of the outermost object


class Terms(NamedTuple):
    """What the parameters of a class are."""

    dims: Mapping[str, Dim] = {}
    types: Mapping[str, Shape] = {}


class Declared(NamedTuple):
    """What is declared of an object."""

    fields: dict[str, Shape]
    # Its class's terms; and by field those of bases, where they declare it.
    own: Terms
    inherited: dict[str, Terms]
    # What two classes say of one size.
    equal: list[tuple[Dim, Dim]]


def declared_of(record: Any, part: Part | None, path: str) -> Declared:
    """Return what is declared of an object at a path, by its class's record.

    `part` is what its holder says of it, None of the outermost.
    """
    shapes, held, of = record.shapes, Terms(), record.schema
    own = {name: name for name in shapes.parameters}
    if part is not None:
        held, of = Terms(part.dims, part.types), part.of
        # What the holder does not know carries the path, as it may hold several.
        own = {name: f"{name}@{path}" for name in own}
    terms = {record.schema: Terms(own)}
    equal: list[tuple[Dim, Dim]] = []
    if shapes.bases:
        generics = importlib.import_module("..generics", __package__)
        terms, equal = generics.terms_of(record, of, held, own)
    elif of == record.schema:
        terms = {of: Terms({**own, **held.dims}, held.types)}
    inherited = {f: terms[n] for n, base in shapes.bases.items() for f in base.fields}
    whole = terms[record.schema]
    stacked = part.stacked if part is not None else ()
    fields: dict[str, Shape] = {}
    for name, shape in shapes.fields.items():
        axes = stacked if name in record.data_fields else ()
        fields[name] = substituted(shape, inherited.get(name, whole), axes)
    return Declared(fields, whole, inherited, equal)


def substituted(shape: Any, terms: Terms, axes: tuple[Dim, ...] = ()) -> Shape:
    """Return a shape of a class in the terms of what holds it, its arrays with more axes."""

    def inner(one: Any) -> Shape:
        return substituted(one, terms, axes)

    # Another package may be of an earlier version, without stacks.
    own = getattr(shape, "stacked", ())
    match type(shape).__name__:
        case "Shaped":
            dims = (*axes, *(in_terms(dim, terms.dims) for dim in shape.dims))
            count = len(axes) + (own or 0)
            return Shaped(
                shape.dtype, *dims, spec=shape.spec, init=shape.init, stacked=count
            )
        case "Weak" if axes:
            return Shaped(shape.kind.capitalize(), *axes, stacked=len(axes))
        case "Weak":
            return Weak(shape.kind)
        case "Part":
            known = {n: in_terms(dim, terms.dims) for n, dim in shape.dims.items()}
            types = {n: substituted(one, terms) for n, one in shape.types.items()}
            stack = (*axes, *(in_terms(dim, terms.dims) for dim in own))
            return Part(known, types, shape.of, shape.given, stack)
        case "Each":
            size = getattr(shape, "size", None)
            size = None if size is None else in_terms(size, terms.dims)
            kind = shape.kind if type(shape) is Each or shape.count else None
            return Each(inner(shape.item), shape.count, kind, size)
        case "Items":
            return Items(*map(inner, shape.items))
        case "AnyOf":
            return AnyOf(*(one and inner(one) for one in shape.options))
        case "Given" if shape.parameter in terms.types:
            return substituted(terms.types[shape.parameter], Terms(), axes)
        case _:
            return Opaque((*axes, *own))


def alternatives(shape: AnyOf) -> list[Shape]:
    """Return what a value may be besides None."""
    return [option for option in shape.options if option is not None]
