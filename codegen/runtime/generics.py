"""The parameters of an object's classes, if its class derives from one with parameters.

    class Base(dims=(a, b)): w: dynamic[f32[a, b]]
    class Mid(Base[b, a], dims=(a, b)): v: dynamic[f32[a, b]]
    class Hold: p: dynamic[Base[x, y]]

A holder names a declared class, but an object may be of a subclass. For a `Mid` in `p`,
the parameters of `Base` are a=x, b=y, as the holder declares. Those of `Mid` are b=x,
a=y, which follows from `Base[b, a]`.
"""

from collections.abc import Collection, Iterator, Mapping

from .classes.registration import Record
from .declared import (
    AnyOf,
    Dim,
    Each,
    Given,
    Items,
    Opaque,
    Parent,
    Part,
    Shape,
    Shaped,
)
from .shapes import dimensions as shapes
from .shapes.dimensions import Substitution


def substitutions_of(
    record: Record, of: str | None, held: Substitution, free: Mapping[str, Dim]
) -> tuple[dict[str, Substitution], list[tuple[Dim, Dim]]]:
    """Return the substitutions for an object's class and its bases, and the dimensions
    that these make equal.

    Args:
        record: the record of the object's class
        of: the class that the holder names
        held: the holder's values of the parameters of that class
        free: the class's own parameters, with their names if nothing defines them
    """
    bases = record.bases
    parents = list(bases.values())
    names = [record.schema, *bases]
    parameters = [record.parameters, *(base.dims for base in parents)]
    known = held if of in names else Substitution()
    for place in reversed(range(names.index(of) if of in names else 0)):
        known = _from_base(parents[place], known, parameters[place])
    values = Substitution({**free, **known.dims}, known.types)
    substitutions = {record.schema: values}
    equal: list[tuple[Dim, Dim]] = []
    for name, base in bases.items():
        values, pairs = _to_base(base, values, held if name == of else Substitution())
        substitutions[name] = values
        equal += [pair for pair in pairs if pair[0] != pair[1] and "_" not in pair]
    return substitutions, equal


def _from_base(
    base: Parent, known: Substitution, parameters: Collection[str]
) -> Substitution:
    """Return the substitution for the derived class that follows from that for a base."""
    dims: dict[str, Dim] = {}
    for name, dim in base.dims.items():
        if not isinstance(dim, str) or dim not in parameters or name not in known.dims:
            continue
        if dims.get(dim, "_") == "_":
            dims[dim] = known.dims[name]
    types = {
        shape.parameter: known.types[name]
        for name, shape in base.types.items()
        if isinstance(shape, Given) and name in known.types
    }
    return Substitution(dims, types)


def _to_base(
    base: Parent, below: Substitution, held: Substitution
) -> tuple[Substitution, list[tuple[Dim, Dim]]]:
    """Return the substitution for a base, from its holder and the class below it."""
    dims = {
        name: shapes.substitute_dim(dim, below.dims) for name, dim in base.dims.items()
    }
    types = {
        name: shapes.substitute(shape, below) for name, shape in base.types.items()
    }
    pairs: list[tuple[Dim, Dim]] = []
    for name, dim in held.dims.items():
        known = dims.get(name, "_")
        pairs.append((known, dim))
        dims[name] = known if dim == "_" else dim
    for name, shape in held.types.items():
        # The class of the object is more exact.
        more = types.get(name, Opaque())
        pairs += _same_dims(more, shape)
        types[name] = shape if isinstance(more, Opaque) else more
    return Substitution(dims, types), pairs


def _same_dims(one: Shape, other: Shape) -> Iterator[tuple[Dim, Dim]]:
    """Pair the dimensions of two shapes of the same value."""
    match one, other:
        case Shaped(), Shaped() if len(one.dims) == len(other.dims):
            if not any(map(shapes.is_variadic, (*one.dims, *other.dims))):
                yield from zip(one.dims, other.dims, strict=True)
        case Part(), Part() if one.of == other.of:
            for name in sorted(one.dims.keys() & other.dims.keys()):
                yield one.dims[name], other.dims[name]
        case Each(), Each():
            yield from _same_dims(one.item, other.item)
        case Items(), Items():
            for pair in zip(one.items, other.items, strict=True):
                yield from _same_dims(*pair)
        case AnyOf(), AnyOf() if len(shapes.alternatives(one)) == 1:
            yield from _same_dims(
                *shapes.alternatives(one), *shapes.alternatives(other)
            )
        case _:
            pass
