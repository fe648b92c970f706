"""Find out the size of every dimension of an object, and what contradicts it.

    sizes = Sizes()
    sizes.bind("nx", 64, "`Plate.grid.nx`")
    sizes.value(("nx", "+", 1))     # 65

A dimension is as `shapes.py` has it. A name that is a class's own carries its path
behind an `@`, since an object may hold several of the class.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ..classes.split import is_generated
from .declared import Dim

Size: TypeAlias = int | tuple[int, ...]


class Contradiction(ValueError):
    """Two places say different sizes, or no size can be right."""


class Axis(NamedTuple):
    """One axis of an array, or a static value, with what it is declared to be."""

    dim: Dim
    size: Size
    where: str  # Example: "axis 0 of `Plate.u`"


@dataclasses.dataclass(slots=True)
class Sizes:
    """The sizes found so far, each with the place that said so."""

    known: dict[str, tuple[Size, str]] = dataclasses.field(
        default_factory=dict[str, tuple[Size, str]]
    )

    def copy(self) -> "Sizes":
        """Return sizes to try something with."""
        return Sizes(dict(self.known))

    def value(self, dim: Dim) -> Size | None:
        """Work a dimension out; None where a name in it is unknown."""
        if isinstance(dim, int):
            return dim
        if isinstance(dim, str):
            found = self.known.get(dim)
            return None if found is None else found[0]
        left, right = self.value(dim[0]), self.value(dim[2])
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        if dim[1] == "//" and not right:
            raise Contradiction(f"`{shown_dim(dim)}` divides by zero")
        return _apply(dim[1], left, right)

    def settle(self, axis: Axis) -> bool:
        """Compare an axis with what is known, or learn from it; False: it is too early.

        Raises:
            Contradiction: with both places
        """
        expected = self.value(axis.dim)
        if expected is None:
            solved = self._solved(axis.dim, axis)
            if solved is None:
                return False
            name, size = solved
            self.known[name] = (size, axis.where)
        elif expected != axis.size:
            raise Contradiction(self._clash(axis, expected))
        return True

    def _solved(self, dim: Dim, axis: Axis) -> tuple[str, Size] | None:
        """Solve for the only unknown name of a dimension."""
        size = axis.size
        while not isinstance(dim, str):
            if isinstance(dim, int) or not isinstance(size, int):
                return None
            left, right = self.value(dim[0]), self.value(dim[2])
            if isinstance(left, int):
                found = _right_of(dim[1], left, size)
                unknown = dim[2]
            elif isinstance(right, int):
                found = _left_of(dim[1], right, size)
                unknown = dim[0]
            else:
                return None
            if found is None:
                if dim[1] == "//" or size == 0:
                    return None
                raise Contradiction(f"{self._has(axis)}, which no size of it gives")
            dim, size = unknown, found
        if isinstance(size, int) and size < 0:
            raise Contradiction(f"{self._has(axis)}, which no size of it gives")
        return dim, size

    def _has(self, axis: Axis) -> str:
        if axis.size == ():
            return f"{axis.where} has no axes for `{shown_dim(axis.dim)}`"
        return f"{axis.where} has the size {axis.size}, and is declared as `{shown_dim(axis.dim)}`"

    def _clash(self, axis: Axis, expected: Size) -> str:
        reasons = [
            f"`{shown_dim(name)}` is {self.known[name][0]} by {self.known[name][1]}"
            for name in names_of(axis.dim)
        ]
        text = self._has(axis)
        if isinstance(axis.dim, str):
            return f"{text}, but {reasons[0]}"
        if isinstance(axis.dim, int):
            return text
        return f"{text}, which is {expected}" + (
            f", since {' and '.join(reasons)}" if reasons else ""
        )

    def unknown(self, dim: Dim) -> str:
        """Return the first name of a dimension whose size nothing says."""
        return next(name for name in names_of(dim) if name not in self.known)


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
    sides = [shown_dim(side) for side in (dim[0], dim[2])]
    left, right = (
        f"({text})" if isinstance(side, tuple) else text
        for text, side in zip(sides, (dim[0], dim[2]), strict=True)
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


def by_kind(axes: list[Axis]) -> Iterator[Axis]:
    """Sort axes: those of a plain name first, since the others need its size."""
    yield from (axis for axis in axes if isinstance(axis.dim, str))
    yield from (axis for axis in axes if not isinstance(axis.dim, str))


def _apply(operator: str, left: int, right: int) -> int:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    return left // right


def _left_of(operator: str, right: int, size: int) -> int | None:
    """Return what is left of an operator, where right and result are known."""
    if operator == "+":
        return size - right
    if operator == "-":
        return size + right
    if operator == "*":
        return size // right if right and size % right == 0 else None
    return None


def _right_of(operator: str, left: int, size: int) -> int | None:
    """Return what is right of an operator, where left and result are known."""
    if operator == "-":
        return left - size
    return _left_of(operator, left, size)
