"""The state of drawing one object: its values, the sizes of its dimensions, and its depth.

    draw = Draw(Tape(source), DrawnSizes(frozenset({"nx"})))
    draw.shape(("nx", ("nx", "+", 1), "*batch", 3))  # (2, 3, 1, 3): `nx` is drawn once
    Tape(source, tape.entries)                       # the same values again: an equal copy

The tape records every value that Hypothesis gives. It can create the same object a second
time, through the same constructors and from copies of the same values. It can also create a
neighbour: an object in which one static value is drawn again.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from hypothesis import strategies
from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")

# As in `codegen.runtime.declared`: "nx", "*batch", "...", "_", 3, ("nx", "+", 1).
Dim: TypeAlias = Any
KnownSizes: TypeAlias = tuple[Mapping[str, int | None], Mapping[str, tuple[int, ...]]]

_SIZES: Final = 3  # how many different sizes a dimension may have
_DEPTH_MAX: Final = 3  # of objects in objects; containers below are empty
_OPERATORS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
}


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """A value that Hypothesis gave."""

    value: Any
    # Whether it is part of the trace key and no later value depends on it.
    is_free: bool


class Rejected(Exception):
    """A constructor refuses the drawn values; the example does not count."""


class Tape:
    """The values that Hypothesis gives for one object, or copies of the values of another."""

    def __init__(
        self, draw: DrawFn, known: Sequence[DrawnValue] = (), changed: int | None = None
    ) -> None:
        self.entries: list[DrawnValue] = []
        self._draw = draw
        self._known = known
        self._changed = changed
        self._copies: dict[int, Any] = {}

    @property
    def is_first(self) -> bool:
        """Whether this is the first object, not a copy of another one."""
        return not self._known

    def take(
        self,
        strategy: SearchStrategy[T],
        near: Callable[[T], Sequence[T]],
        *,
        is_free: bool,
    ) -> T:
        """Return the next value; `near` returns values that are easily confused with it."""
        index = len(self.entries)
        if index == self._changed:
            choices = near(self._known[index].value)
            other = strategies.sampled_from(choices) | strategy if choices else strategy
            value: T = self._draw(other)
        elif index < len(self._known):
            value = self._copy(self._known[index].value)
        else:
            value = self._draw(strategy)
        self.entries.append(DrawnValue(value, is_free))
        return value

    def _copy(self, value: T) -> T:
        """Copy a value once if it was drawn twice: a set contains one NaN object only once."""
        if id(value) not in self._copies:
            self._copies[id(value)] = copied(value)
        copy_of: T = self._copies[id(value)]
        return copy_of


@functools.cache
def _integers(lowest: int, highest: int) -> SearchStrategy[int]:
    """Return one strategy for each range, since Hypothesis validates each strategy once."""
    return strategies.integers(lowest, highest)


def no_near_values(_: object) -> tuple[()]:
    """Return no values: the value is not confused with others."""
    return ()


def copied(value: Any) -> Any:
    """Return an equal value, as a different object wherever there can be two."""
    kind = type(value)
    if kind is float or kind is int:
        return kind(repr(value))
    if kind is complex:
        return complex(copied(value.real), copied(value.imag))
    if kind is str:
        return "".join(list(value))
    if kind is bytes:
        return bytes(bytearray(value))
    try:
        return copy.deepcopy(value)
    except TypeError:  # such a value is its own copy
        return value


@dataclass(slots=True)
class DrawnSize:
    """The size of a dimension; None until it is needed."""

    value: int | None = None


@dataclass(slots=True)
class DrawnSizes:
    """The sizes of the dimensions within one object, each drawn when it is first needed."""

    # Names whose sizes appear in some array; an integer field with such a name is that size.
    names: frozenset[str]
    least: int = 1
    # The dimension parameters of a class, in a scope of their own.
    own: Mapping[str, DrawnSize] = field(default_factory=dict[str, DrawnSize])
    around: DrawnSizes | None = None
    drawn: dict[str, DrawnSize] = field(default_factory=dict[str, DrawnSize])
    batches: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def is_bound(self, name: str) -> bool:
        """Return whether some array has this dimension."""
        if name in self.own or name in self.names:
            return True
        return self.around is not None and self.around.is_bound(name)

    def find(self, name: str) -> DrawnSize:
        """Return the size of a dimension, drawn or not."""
        if name in self.own:
            return self.own[name]
        if self.around is not None:
            return self.around.find(name)
        return self.drawn.setdefault(name, DrawnSize())

    def get(self, name: str, draw: Draw) -> int:
        """Return the size of a dimension; draw it if it is not known."""
        size = self.find(name)
        if size.value is None:
            size.value = draw.integer(self.least, self.least + _SIZES - 1)
        return size.value

    def in_class(self, own: Mapping[str, DrawnSize]) -> DrawnSizes:
        """Return the sizes in an object whose class has dimension parameters."""
        return DrawnSizes(self.names, self.least, own, self)

    def known(self) -> KnownSizes:
        """Return the sizes that are drawn so far."""
        if self.around is not None:
            return self.around.known()
        return {name: size.value for name, size in self.drawn.items()}, {**self.batches}

    def forget(self, known: KnownSizes) -> None:
        """Keep only the sizes that were known then."""
        if self.around is not None:
            self.around.forget(known)
            return
        for name, size in self.drawn.items():
            size.value = known[0].get(name)
        self.batches = {**known[1]}

    def batch(self, name: str, draw: Draw) -> tuple[int, ...]:
        """Return the sizes of the dimensions that `*name` represents."""
        if self.around is not None:
            return self.around.batch(name, draw)
        if name not in self.batches:
            self.batches[name] = draw.some_sizes()
        return self.batches[name]


@dataclass(frozen=True, slots=True)
class Draw:
    """One object while it is drawn, or a part of it."""

    tape: Tape
    sizes: DrawnSizes
    depth: int = 0
    is_static: bool = False  # it is part of the trace key
    # The functions that draw values of type parameters, by the names of these.
    types: Mapping[str, Callable[[Draw], Any]] = field(
        default_factory=dict[str, "Callable[[Draw], Any]"]
    )

    @property
    def is_deep(self) -> bool:
        """Whether containers and unions must come to an end."""
        return self.depth > _DEPTH_MAX

    def value(
        self, strategy: SearchStrategy[T], near: Callable[[T], Sequence[T]] = no_near_values
    ) -> T:
        """Draw a value that nothing else depends on."""
        return self.tape.take(strategy, near, is_free=self.is_static)

    def integer(self, lowest: int, highest: int) -> int:
        """Draw a number on which later draws depend."""
        return self.tape.take(_integers(lowest, highest), no_near_values, is_free=False)

    def count(self) -> int:
        """Draw how many items a container has: fewer at a greater depth."""
        highest = 0 if self.is_deep else 2 if self.depth < 2 else 1
        return self.integer(0, highest) if highest else 0

    def some_sizes(self) -> tuple[int, ...]:
        """Draw the sizes of any number of dimensions."""
        return tuple(self.integer(1, _SIZES) for _ in range(self.integer(0, 2)))

    def named_size(self, dim: Dim) -> DrawnSize:
        """Return the size of a dimension; a name may stay open until it is needed."""
        if dim == "_":
            return DrawnSize()
        return self.sizes.find(dim) if isinstance(dim, str) else DrawnSize(self.size(dim))

    def size(self, dim: Dim) -> int:
        """Return the size of one dimension: a number, `_`, a name, or arithmetic."""
        if dim == "_":
            return self.integer(1, _SIZES)
        size = evaluate_dim(dim, lambda name: self.sizes.get(name, self))
        if size is None or size < 0:
            raise Rejected
        return size

    def shape(self, dims: Sequence[Dim]) -> tuple[int, ...]:
        """Return the shape of an array."""
        sizes: list[int] = []
        for dim in dims:
            if dim == "...":
                sizes += self.some_sizes()
            elif isinstance(dim, str) and dim.startswith("*"):
                sizes += self.sizes.batch(dim[1:], self)
            else:
                sizes.append(self.size(dim))
        return tuple(sizes)


def evaluate_dim(dim: Dim, size_of: Callable[[str], int]) -> int | None:
    """Return the value of a dimension; None if it divides by zero."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, str):
        return size_of(dim)
    left, right = evaluate_dim(dim[0], size_of), evaluate_dim(dim[2], size_of)
    if left is None or right is None or (dim[1] == "//" and right == 0):
        return None
    return _OPERATORS[dim[1]](left, right)
