# pyright: reportUnknownMemberType=false
"""Find out the size of every dimension of an object, and what contradicts it.

    sizes = Sizes()
    sizes.settle(Axis("nx", 64, "`Plate.grid.nx`"))     # True
    sizes.value(("nx", "+", 1))                         # 65

A dimension is as `declared.py` has it. A name that is a class's own carries its path
behind an `@`, since an object may hold several of the class.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from ..keys.names import is_generated
from .declared import Dim

Size: TypeAlias = int | tuple[int, ...]

OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
}


class Contradiction(ValueError):
    """Two places say different sizes, or no size can be right."""


class Axis(NamedTuple):
    """One axis of an array, or a static value, with what it is declared to be."""

    dim: Dim
    size: Size
    where: str  # Example: "axis 0 of `Plate.u`"


class Sizes:
    """The sizes found so far, each with the place that said so."""

    def __init__(self, known: Mapping[str, tuple[Size, str]] | None = None) -> None:
        self.known = dict(known or {})

    def value(self, dim: Dim) -> Size | None:
        """Work a dimension out; None where a name in it is unknown."""
        if isinstance(dim, int):
            return dim
        if isinstance(dim, str):
            return self.known[dim][0] if dim in self.known else None
        left, right = self.value(dim[0]), self.value(dim[2])
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        if dim[1] == "//" and not right:
            raise Contradiction(f"`{shown_dim(dim)}` divides by zero")
        return OPERATIONS[dim[1]](left, right)

    def settle(self, axis: Axis) -> bool:
        """Compare an axis with what is known, or learn from it; False: it is too early.

        Raises:
            Contradiction: with both places
        """
        expected = self.value(axis.dim)
        if expected is None:
            solved = self._solved(axis)
            if solved is None:
                return False
            name, size = solved
            self.known[name] = (size, axis.where)
        elif expected != axis.size:
            raise Contradiction(self._clash(axis, expected))
        return True

    def equal(self, one: Dim, other: Dim, where: str) -> bool:
        """Compare two dimensions, or learn one from the other; False: it is too early."""
        for dim, same in ((one, other), (other, one)):
            size = self.value(same)
            if size is not None and self.settle(Axis(dim, size, where)):
                return True
        return False

    def _solved(self, axis: Axis) -> tuple[str, Size] | None:
        """Solve for the only unknown name of a dimension."""
        dim, size = axis.dim, axis.size
        while not isinstance(dim, str):
            if isinstance(dim, int) or not isinstance(size, int):
                return None
            left, right = self.value(dim[0]), self.value(dim[2])
            is_left = isinstance(left, int)
            known = left if is_left else right
            if not isinstance(known, int) or dim[1] == "//":
                return None
            if dim[1] == "+":
                size -= known
            elif dim[1] == "-":
                size = known - size if is_left else size + known
            elif known and size % known == 0:
                size //= known
            elif size == 0:
                return None
            else:
                raise _impossible(axis)
            dim = dim[2] if is_left else dim[0]
        if isinstance(size, int) and size < 0:
            raise _impossible(axis)
        return dim, size

    def _clash(self, axis: Axis, expected: Size) -> str:
        reasons = [
            f"`{shown_dim(name)}` is {self.known[name][0]} by {self.known[name][1]}"
            for name in names_of(axis.dim)
        ]
        text = _has(axis)
        if isinstance(axis.dim, str):
            return f"{text}, but {reasons[0]}"
        if isinstance(axis.dim, int):
            return text
        since = f", since {' and '.join(reasons)}" if reasons else ""
        return f"{text}, which is {expected}{since}"

    def refuse_unknown(self, axis: Axis) -> NoReturn:
        """Refuse an axis with a name whose size nothing says."""
        unknown = next(name for name in names_of(axis.dim) if name not in self.known)
        name = shown_dim(unknown)
        raise Contradiction(
            f"{axis.where} is declared as `{shown_dim(axis.dim)}`, but nothing binds "
            f"`{name}`: give its class a field `{name}: static[int]`, or an array with "
            f"`{name}` alone as an axis"
        )


def _has(axis: Axis) -> str:
    dim = shown_dim(axis.dim)
    if axis.size == ():
        return f"{axis.where} has no axes for `{dim}`"
    return f"{axis.where} has the size {axis.size}, and is declared as `{dim}`"


def _impossible(axis: Axis) -> Contradiction:
    return Contradiction(f"{_has(axis)}, which no size of it gives")


def names_of(dim: Dim) -> list[str]:
    """Return the names in a dimension, each once."""
    if isinstance(dim, str):
        return [dim]
    if isinstance(dim, int):
        return []
    return list(dict.fromkeys([*names_of(dim[0]), *names_of(dim[2])]))


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
    left, right = (
        f"({shown_dim(side)})" if isinstance(side, tuple) else shown_dim(side)
        for side in (dim[0], dim[2])
    )
    return f"{left} {dim[1]} {right}"


def shown_array(dtype: str, dims: tuple[Dim, ...]) -> str:
    """Return what is declared of an array."""
    return f"an array {dtype}[{', '.join(map(shown_dim, dims))}]"


def shown_axes(first: int, last: int, path: str) -> str:
    """Name axes from the first to before the last; without any, only the array."""
    if first == last:
        return f"`{path}`"
    axes = f"axis {first}" if last == first + 1 else f"axes {first} to {last - 1}"
    return f"{axes} of `{path}`"


def integers(name: str, value: Any, path: str) -> Iterator[tuple[str, int, str]]:
    """Yield the integers in a static value, each with its name and path, at any depth.

    They are sizes where a dimension has their name. What lies in a container is left out,
    and so is what a class with parameters calls by names of its own.
    """
    path = f"{path}.{name}"
    if type(value) is int:
        yield name, value, path
    elif is_generated(value):
        record = value.__codegen_record__
        bases = record.shapes.bases.values()
        own = {*record.shapes.parameters, *(f for base in bases for f in base.fields)}
        for inner in record.meta_fields:
            if inner not in own:
                yield from integers(inner, getattr(value, inner), path)
