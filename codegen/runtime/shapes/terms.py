# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""What is declared of an object's fields, in the terms of the outermost object.

    class Linear(dims=(n_in, n_out)): w: dynamic[f32[n_in, n_out]]
    class Mlp: first: dynamic[Linear[pixels, hidden]]

    part = Part({"n_in": "pixels", "n_out": "hidden"}, of="mlp.Linear")
    declared_of(Linear.__codegen_record__, part, "Mlp.first").fields["w"]
    # Shaped("float32", "pixels", "hidden")

Shapes are read by the name of their class, since another generated package has its own, and
come out as those of this one.
"""

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from .declared import AnyOf, Dim, Each, Items, Opaque, Part, Shape, Shaped, Weak
from .sizes import in_terms, names_of


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

    def dim(self, name: str, field: str) -> Dim:
        """Return what the class that declares a field calls by a name."""
        return self.inherited.get(field, self.own).dims.get(name, name)


def declared_of(record: Any, part: Part | None, path: str) -> Declared:
    """Return what is declared of an object.

    Args:
        record: of its class
        part: what its holder says of it; None: it is the outermost object
        path: where it is
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
    inherited = {
        field: terms[name]
        for name, base in shapes.bases.items()
        for field in base.fields
    }
    whole = terms[record.schema]
    fields = {
        name: substituted(shape, inherited.get(name, whole))
        for name, shape in shapes.fields.items()
    }
    if part is not None and part.stacked:
        fields |= {n: _stacked(fields[n], part.stacked) for n in record.data_fields}
    return Declared(fields, whole, inherited, equal)


def substituted(shape: Any, terms: Terms) -> Shape:
    """Return a shape of a class in the terms of what holds it."""
    match type(shape).__name__:
        case "Shaped":
            dims = [in_terms(dim, terms.dims) for dim in shape.dims]
            return Shaped(shape.dtype, *dims, spec=shape.spec, init=shape.init)
        case "Weak":
            return Weak(shape.kind)
        case "Part":
            known = {n: in_terms(dim, terms.dims) for n, dim in shape.dims.items()}
            types = {n: substituted(one, terms) for n, one in shape.types.items()}
            stack = (in_terms(dim, terms.dims) for dim in getattr(shape, "stacked", ()))
            return Part(known, types, shape.of, shape.given, tuple(stack))
        case "Each":
            size = getattr(shape, "size", None)
            size = None if size is None else in_terms(size, terms.dims)
            return Each(substituted(shape.item, terms), shape.count, shape.kind, size)
        case "Items":
            return Items(*(substituted(item, terms) for item in shape.items))
        case "AnyOf":
            options = (one and substituted(one, terms) for one in shape.options)
            return AnyOf(*options)
        case "Given":
            return terms.types.get(shape.parameter, Opaque())
        case _:
            return Opaque()


def _stacked(shape: Shape, axes: tuple[Dim, ...]) -> Shape:
    """Return what a shape is with leading axes in all its arrays."""
    match shape:
        case Shaped(dtype=dtype, spec=spec, init=init):
            count = len(axes) + shape.stacked
            return Shaped(
                dtype, *axes, *shape.dims, spec=spec, init=init, stacked=count
            )
        case Weak(kind=kind):
            return Shaped(kind.capitalize(), *axes, stacked=len(axes))
        case Part():
            return shape._replace(stacked=(*axes, *shape.stacked))
        case Each():
            return Each(_stacked(shape.item, axes), size=shape.size)
        case Items(items=items):
            return Items(*(_stacked(item, axes) for item in items))
        case AnyOf(options=options):
            return AnyOf(*(one and _stacked(one, axes) for one in options))
        case Opaque():
            return Opaque((*axes, *shape.stacked))
        case _:
            raise AssertionError(shape)  # `Given` has been substituted


def alternatives(shape: AnyOf) -> list[Shape]:
    """Return what a value may be besides None."""
    return [option for option in shape.options if option is not None]


def items_of(shape: Any, count: int) -> tuple[Shape, ...]:
    """Return what each of so many items is."""
    if isinstance(shape, Each):
        return (shape.item,) * count
    is_fixed = isinstance(shape, Items) and len(shape.items) == count
    return shape.items if is_fixed else (Opaque(),) * count


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
