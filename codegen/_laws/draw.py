# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""One object being drawn: the sizes of its dimensions, its depth, and its tape.

    draw = Draw(Tape(source), Sizes(frozenset({"nx"})))
    draw.shape("nx nx+1 *batch 3")      # (2, 3, 1, 3): `nx` is drawn once
    Tape(source, tape.entries)          # the same values again: an equal copy

Every value that Hypothesis gives is kept on the tape. So the same object can be made a
second time, through the same constructors and of copies of the same values, and so can
its neighbour, in which one static value was drawn anew.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Known: TypeAlias = tuple[Mapping[str, int | None], Mapping[str, tuple[int, ...]]]

_SIZES: Final = 3  # how many different sizes a dimension may have
_DEPTH: Final = 3  # of objects in objects, from which on containers stay empty
_OPERATORS: Final[dict[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that Hypothesis gave."""

    value: Any
    # Whether another value in its place changes nothing that is drawn after it, and is
    # part of the trace key.
    is_free: bool


class Refused(Exception):
    """A constructor refuses what was drawn for it; the example does not count."""


class Tape:
    """What Hypothesis gives for one object, or copies of what it gave for another."""

    def __init__(
        self, draw: DrawFn, known: Sequence[Entry] = (), changed: int | None = None
    ) -> None:
        self.entries: list[Entry] = []
        self._draw = draw
        self._known = known
        self._changed = changed
        self._copies: dict[int, Any] = {}

    @property
    def is_first(self) -> bool:
        """Whether nothing is known yet of what is drawn."""
        return not self._known

    def take(
        self,
        strategy: Callable[[], SearchStrategy[T]],
        near: Callable[[T], Sequence[T]],
        *,
        is_free: bool,
    ) -> T:
        """Return the next value; `near` gives what may be confused with one."""
        index = len(self.entries)
        if index == self._changed:
            value: T = self._draw(_other(self._known[index].value, strategy(), near))
        elif index < len(self._known):
            value = self._copy(self._known[index].value)
        else:
            value = self._draw(strategy())
        self.entries.append(Entry(value, is_free))
        return value

    def _copy(self, value: T) -> T:
        """Copy what was drawn twice once: a set holds one NaN object a single time."""
        if id(value) not in self._copies:
            self._copies[id(value)] = copied(value)
        copy_of: T = self._copies[id(value)]
        return copy_of


def _other(
    value: T, strategy: SearchStrategy[T], near: Callable[[T], Sequence[T]]
) -> SearchStrategy[T]:
    """Draw what is easily confused with a value, or any."""
    from hypothesis import strategies

    choices = near(value)
    return strategies.sampled_from(choices) | strategy if choices else strategy


def nothing(_: object) -> tuple[()]:
    """Say of a value that it is confused with no other."""
    return ()


def copied(value: Any) -> Any:
    """Return an equal value, as another object wherever there may be two."""
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
    except TypeError:  # what cannot be copied is its own copy
        return value


@dataclass(slots=True)
class Size:
    """The size of a dimension; None until somebody needs it."""

    value: int | None = None

    def settle(self, size: int) -> bool:
        """Make it this size, unless it is another; say whether it is this one now."""
        if self.value is None:
            self.value = size
        return self.value == size


@dataclass(slots=True)
class Sizes:
    """The sizes of the dimensions within one object, each drawn when first needed."""

    # The names whose sizes some array has; an integer field of such a name is its size.
    names: frozenset[str]
    least: int = 1
    # What a class calls its dimension parameters, in a scope of their own.
    own: Mapping[str, Size] = field(default_factory=dict[str, Size])
    around: Sizes | None = None
    drawn: dict[str, Size] = field(default_factory=dict[str, Size])
    batches: dict[str, tuple[int, ...]] = field(
        default_factory=dict[str, tuple[int, ...]]
    )

    def is_bound(self, name: str) -> bool:
        """Whether some array has this dimension."""
        if name in self.own or name in self.names:
            return True
        return self.around is not None and self.around.is_bound(name)

    def of(self, name: str) -> Size:
        """Return the size of a dimension, drawn or not."""
        if name in self.own:
            return self.own[name]
        if self.around is not None:
            return self.around.of(name)
        return self.drawn.setdefault(name, Size())

    def get(self, name: str, draw: Draw) -> int:
        """Return the size of a dimension."""
        size = self.of(name)
        if size.value is None:
            size.value = draw.integer(self.least, self.least + _SIZES - 1)
        return size.value

    def inside(self, own: Mapping[str, Size]) -> Sizes:
        """Return the sizes in an object whose class has dimension parameters."""
        return Sizes(self.names, self.least, own, self)

    def known(self) -> Known:
        """Return the sizes that were drawn up to now."""
        if self.around is not None:
            return self.around.known()
        return {name: size.value for name, size in self.drawn.items()}, {**self.batches}

    def forget(self, known: Known) -> None:
        """Keep only what was known then."""
        if self.around is not None:
            self.around.forget(known)
            return
        for name, size in self.drawn.items():
            size.value = known[0].get(name)
        self.batches = {**known[1]}

    def batch(self, name: str, draw: Draw) -> tuple[int, ...]:
        """Return the sizes of the dimensions that `*name` stands for."""
        if self.around is not None:
            return self.around.batch(name, draw)
        if name not in self.batches:
            self.batches[name] = draw.some_sizes()
        return self.batches[name]


@dataclass(frozen=True, slots=True)
class Draw:
    """One object being drawn, or a part of it."""

    tape: Tape
    sizes: Sizes
    depth: int = 0
    is_static: bool = False  # it is part of the trace key
    # How values of type parameters are drawn, by the class and its name: "Box.T".
    types: Mapping[str, Callable[[Draw], Any]] = field(
        default_factory=dict[str, "Callable[[Draw], Any]"]
    )

    @property
    def is_deep(self) -> bool:
        """Whether it is time to come to an end."""
        return self.depth > _DEPTH

    def value(
        self,
        strategy: Callable[[], SearchStrategy[T]],
        near: Callable[[T], Sequence[T]] = nothing,
    ) -> T:
        """Draw a value that nothing else depends on."""
        return self.tape.take(strategy, near, is_free=self.is_static)

    def integer(self, lowest: int, highest: int) -> int:
        """Draw a number that decides what is drawn next."""

        def strategy() -> SearchStrategy[int]:
            from hypothesis import strategies

            return strategies.integers(lowest, highest)

        return self.tape.take(strategy, nothing, is_free=False)

    def count(self) -> int:
        """Draw how many items a container has: fewer, the deeper it lies."""
        highest = 0 if self.is_deep else 2 if self.depth < 2 else 1
        return self.integer(0, highest) if highest else 0

    def some_sizes(self) -> tuple[int, ...]:
        """Draw the sizes of any number of dimensions."""
        return tuple(self.integer(1, _SIZES) for _ in range(self.integer(0, 2)))

    def named_size(self, text: str) -> Size:
        """Return a size that is drawn later where it may be, for what is inside decides."""
        if text == "_":
            return Size()
        return self.sizes.of(text) if text.isidentifier() else Size(self.size(text))

    def size(self, text: str) -> int:
        """Return the size of one dimension: a name, a number, `_`, or arithmetic."""
        if text == "_":
            return self.integer(1, _SIZES)
        size = self._evaluated(ast.parse(text, mode="eval").body)
        if size < 0:
            raise Refused
        return size

    def shape(self, text: str) -> tuple[int, ...]:
        """Return a shape, written as jaxtyping does: `"nx+1 *batch 3"`."""
        sizes: list[int] = []
        for dim in text.split():
            if dim == "...":
                sizes += self.some_sizes()
            elif dim.startswith("*"):
                sizes += self.sizes.batch(dim[1:], self)
            else:
                sizes.append(self.size(dim))
        return tuple(sizes)

    def _evaluated(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int() as number):
                return number
            case ast.Name(id=name):
                return self.sizes.get(name, self)
            case ast.BinOp(left=left, op=op, right=right):
                right_size = self._evaluated(right)
                if isinstance(op, ast.FloorDiv) and right_size == 0:
                    raise Refused
                return _OPERATORS[type(op)](self._evaluated(left), right_size)
            case _:
                raise AssertionError(ast.unparse(node))


class Recipe(Protocol[T_co]):
    """How a value is drawn."""

    def draw(self, draw: Draw) -> T_co: ...


@dataclass(frozen=True, slots=True)
class Simple(Generic[T]):
    """A recipe that is a function."""

    function: Callable[[Draw], T]

    def draw(self, draw: Draw) -> T:
        return self.function(draw)
