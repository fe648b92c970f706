"""What the parameters of an object's classes are, where its holder puts them.

    class Base(dims=(a, b)): w: dynamic[f32[a, b]]
    class Mid(Base[b, a], dims=(a, b)): v: dynamic[f32[a, b]]
    class Hold: p: dynamic[Base[x, y]]

A holder speaks of the class that it declares, and an object may be of one below that. Each
field is written in the terms of the class that declares it. So an object has terms for
each class in the chain from its own to its bases: of a `Mid` in `p` those of `Base`, in
which `w` is, are a=x, b=y, as the holder says; those of `Mid`, in which `v` is, are b=x,
a=y, as follows from `Base[b, a]`.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from .declared import Dim, Shape

# What stands for a dimension, and what for a type.
D = TypeVar("D")
T = TypeVar("T")


# Not frozen, as one is made for each object of a walk: to fill a frozen one takes longer.
@dataclasses.dataclass(slots=True)
class Terms(Generic[D, T]):
    """What the dimensions and the types that are a class's parameters are."""

    dims: Mapping[str, D]
    types: Mapping[str, T]


class Placing(Protocol[D, T]):
    """How a walk through an object knows dimensions and types."""

    def free(self, name: str) -> D:
        """Return what a parameter is of which the holder says nothing."""
        ...

    def dim(self, dim: Dim, terms: Terms[D, T]) -> D:
        """Return what a dimension is, that is written in some terms."""
        ...

    def type(self, shape: Shape, terms: Terms[D, T]) -> T:
        """Return what a type is, that is written in some terms."""
        ...

    def same_dim(self, given: D, said: D) -> D:
        """Return what both a holder and a class below the declared one say of."""
        ...

    def same_type(self, given: T, said: T) -> T:
        """Return what both a holder and a class below the declared one say of."""
        ...


def terms_of(
    shapes: Any,
    own: str,
    declared: str | None,
    given: Terms[D, T],
    placing: Placing[D, T],
) -> dict[str, Terms[D, T]]:
    """Return the terms of each class of an object's chain, its own first.

    Args:
        shapes: those of its class, which may be one of another package
        own: the name of its class
        declared: the name of the class that its holder speaks of; if that is none of the
            chain, nothing is given
        given: what the holder says of that class's parameters
        placing: how dimensions and types are known
    """
    known = _known(shapes, own, declared, given, placing)
    # And down, to the last base.
    dims: dict[str, D] = {}
    for name in shapes.parameters:
        dims[name] = (
            known[0].dims[name] if name in known[0].dims else placing.free(name)
        )
    terms = Terms(dims, known[0].types)
    found = {own: terms}
    for i, (name, base) in enumerate(shapes.bases.items(), start=1):
        terms = found[name] = _above(base, known[i], terms, placing)
    return found


def _known(
    shapes: Any,
    own: str,
    declared: str | None,
    given: Terms[D, T],
    placing: Placing[D, T],
) -> list[Terms[D, T]]:
    """Return what a holder says of each class of a chain, from the declared one down."""
    if not shapes.bases:
        return [given if declared == own else Terms({}, {})]
    names = [own, *shapes.bases]
    bases = list(shapes.bases.values())
    known: list[Terms[D, T]] = [Terms({}, {}) for _ in names]
    place = names.index(declared) if declared in names else -1
    if place >= 0:
        known[place] = given
    for i in range(place, 0, -1):
        below = bases[i - 2].dims if i > 1 else dict.fromkeys(shapes.parameters)
        known[i - 1] = _below(bases[i - 1], known[i], below, placing)
    return known


def _below(
    base: Any, known: Terms[D, T], names: Mapping[str, Any], placing: Placing[D, T]
) -> Terms[D, T]:
    """Return the parameters of a class that follow from those of its base."""
    dims: dict[str, D] = {}
    types: dict[str, T] = {}
    for name, dim in base.dims.items():
        if name in known.dims and isinstance(dim, str) and dim in names:
            value = known.dims[name]
            dims[dim] = placing.same_dim(dims[dim], value) if dim in dims else value
    for name, shape in base.types.items():
        parameter = _parameter(shape)
        if name in known.types and parameter is not None:
            types.setdefault(parameter, known.types[name])
    return Terms(dims, types)


def _above(
    base: Any, known: Terms[D, T], below: Terms[D, T], placing: Placing[D, T]
) -> Terms[D, T]:
    """Return the parameters of a base by those of the class that derives from it."""
    dims: dict[str, D] = {}
    types: dict[str, T] = dict(known.types)
    for name, dim in base.dims.items():
        said = placing.dim(dim, below)
        given = known.dims.get(name)
        dims[name] = said if given is None else placing.same_dim(given, said)
    for name, shape in base.types.items():
        parameter = _parameter(shape)
        if parameter is None:
            written = placing.type(shape, below)
            is_given = name in types
            types[name] = (
                placing.same_type(types[name], written) if is_given else written
            )
        elif parameter in below.types:
            types.setdefault(name, below.types[parameter])
    return Terms(dims, types)


def _parameter(shape: Any) -> str | None:
    # By name, as another package has its own.
    return shape.parameter if type(shape).__name__ == "Given" else None
