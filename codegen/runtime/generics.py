# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""In whose terms the fields of an object are, where its class derives from one with parameters.

    class Base(dims=(a, b)): w: dynamic[f32[a, b]]
    class Mid(Base[b, a], dims=(a, b)): v: dynamic[f32[a, b]]
    class Hold: p: dynamic[Base[x, y]]

A holder speaks of the class that it declares, and an object may be of one below that. Of a
`Mid` in `p` the terms of `Base` are a=x, b=y, as the holder says; those of `Mid` are b=x,
a=y, as follows from `Base[b, a]`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .shapes.check import Terms, Walk
from .shapes.declared import Dim
from .shapes.sizes import in_terms


def terms_of(
    walk: Walk,
    record: Any,
    of: str | None,
    held: Terms,
    free: Mapping[str, Dim],
    path: str,
) -> dict[str, Terms]:
    """Return the terms of an object's class and of each of its bases.

    Args:
        walk: what is being found out of the outermost object
        record: of the object's class
        of: the class that the holder speaks of
        held: what the holder says of its parameters
        free: the names of the class's parameters, for which nobody has others
        path: where the object is
    """
    shapes, known = record.shapes, Terms({}, {})
    names = [record.schema, *shapes.bases]
    if of in names:
        known = held
        bases = list(shapes.bases.values())[: names.index(of)]
        own = [shapes.parameters, *(base.dims for base in bases)]
        for base, parameters in zip(reversed(bases), own[-2::-1], strict=True):
            known = _below(base, known, parameters)
    terms = Terms({**free, **known.dims}, known.types)
    found = {record.schema: terms}
    for name, base in shapes.bases.items():
        said = held if name == of else Terms({}, {})
        terms = found[name] = _above(walk, base, said, terms, f"`{path}`")
    return found


def _above(walk: Walk, base: Any, held: Terms, below: Terms, where: str) -> Terms:
    """Return the terms of a base, by its holder and the class that derives from it."""
    dims = {name: in_terms(dim, below.dims) for name, dim in base.dims.items()}
    for name, dim in held.dims.items():
        said = dims.get(name, "_")
        if "_" not in (said, dim) and said != dim:
            walk.equal.append((said, dim, where))
        dims[name] = said if dim == "_" else dim
    types = dict(held.types)
    for name, shape in base.types.items():
        if type(shape).__name__ != "Given":
            said_too = types.get(name, [])
            for other, terms in said_too:
                pairs = _same_dims(shape, below, other, terms)
                walk.equal += [(one, two, where) for one, two in pairs if one != two]
            types[name] = [(shape, below), *said_too]
        elif shape.parameter in below.types:
            types[name] = below.types[shape.parameter]
    return Terms(dims, types)


def _same_dims(
    one: Any, terms: Terms, other: Any, others: Terms
) -> Iterator[tuple[Dim, Dim]]:
    """Pair the dimensions of two shapes that one value has."""
    kinds = type(one).__name__, type(other).__name__
    pairs: Iterable[tuple[Dim, Dim]] = ()
    if kinds == ("Shaped", "Shaped") and len(one.dims) == len(other.dims):
        if not any(str(dim)[0] in "*._" for dim in (*one.dims, *other.dims)):
            pairs = zip(one.dims, other.dims, strict=True)
    elif kinds == ("Part", "Part") and one.of == other.of:
        common = sorted(one.dims.keys() & other.dims.keys())
        pairs = [(one.dims[name], other.dims[name]) for name in common]
    elif kinds == ("Each", "Each"):
        yield from _same_dims(one.item, terms, other.item, others)
    for dim, counterpart in pairs:
        yield in_terms(dim, terms.dims), in_terms(counterpart, others.dims)


def _below(base: Any, known: Terms, parameters: Iterable[str]) -> Terms:
    """Return what the terms of a base say of those of the class that derives from it."""
    dims: dict[str, Dim] = {}
    for name, dim in base.dims.items():
        is_own = isinstance(dim, str) and dim in parameters
        if is_own and name in known.dims and dims.get(dim, "_") == "_":
            dims[dim] = known.dims[name]
    given = {
        name: shape.parameter
        for name, shape in base.types.items()
        if type(shape).__name__ == "Given"
    }
    return Terms(dims, {given[n]: t for n, t in known.types.items() if n in given})
