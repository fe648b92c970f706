"""Strategies that draw objects of generated classes.

strategy(Plate)                             # objects of `Plate`
strategy(Plate, thickness=st.just(0.5))     # this field from another strategy
pairs_of(Objects(Plate), is_equal=True)     # pairs of equal objects, created independently
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, Protocol, TypeVar

from hypothesis import reject, strategies
from hypothesis.strategies import DrawFn, SearchStrategy

from codegen.testing import leaves, objects
from codegen.testing.declared import dimensions, fields_of, record_of
from codegen.testing.drawing import Draw, DrawnSizes, Rejected, Tape

T = TypeVar("T")
_NO_FIELDS: Final[Mapping[str, SearchStrategy[Any]]] = {}


def strategy(cls: type[T], /, **fields: SearchStrategy[Any]) -> SearchStrategy[T]:
    """Return a strategy for objects of a generated class.

    Leaves are NumPy arrays; random keys are JAX's. One dimension has one size within an
    object. For an abstract class, objects of any class below it are drawn.

    Args:
        cls: a generated class
        **fields: strategies for some of its fields

    Raises:
        TypeError: `cls` is not a generated class, or has no such field
    """
    if record_of(cls) is None:
        raise TypeError(f"`{cls!r}` is not a generated class")
    unknown = sorted(fields.keys() - fields_of(cls).keys())
    if unknown:
        raise TypeError(f"`{cls.__name__}` has no field `{unknown[0]}`")
    return drawn(Objects(cls, fields))


def register(kind: Any, strategy: SearchStrategy[Any]) -> None:
    """Draw values of a type with a strategy, wherever a schema declares the type.

    Args:
        kind: a type from outside any schema, or a generated class
        strategy: a Hypothesis strategy for it
    """
    leaves.registered[kind] = strategy


class Drawable(Protocol):
    """An object of drawing, and the types of which it consists."""

    @property
    def types(self) -> list[Any]: ...

    def draw(self, draw: Draw) -> Any: ...


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a generated class."""

    cls: Any
    given: Mapping[str, SearchStrategy[Any]] = field(default_factory=lambda: _NO_FIELDS)

    @property
    def types(self) -> list[Any]:
        return [self.cls]

    def draw(self, draw: Draw) -> Any:
        if self.given and not record_of(self.cls).abstract:
            return objects.constructed(draw, self.cls, self.given)
        return objects.generated(draw, self.cls)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a generated function, as attributes."""

    declared: Mapping[str, Any]
    static: frozenset[str]

    @property
    def types(self) -> list[Any]:
        return [*self.declared.values()]

    def draw(self, draw: Draw) -> SimpleNamespace:
        arguments: dict[str, Any] = {}
        for name, declared in self.declared.items():
            is_static = name in self.static
            inner = Draw(draw.tape, draw.sizes, is_static=is_static)
            if is_static and declared is int:
                # An implementation may loop this many times.
                bound = draw.sizes.is_bound(name)
                arguments[name] = draw.sizes.get(name, draw) if bound else draw.integer(0, 3)
            else:
                arguments[name] = objects.value(inner, declared)
        return SimpleNamespace(**arguments)


def drawn(what: Drawable) -> SearchStrategy[Any]:
    """Return a strategy for single objects."""
    return _strategy(lambda draw: _first(draw, what)[0])


def copies(what: Drawable) -> SearchStrategy[tuple[Any, Any]]:
    """Return a strategy for pairs of equal objects that have no part in common."""

    def pair(draw: DrawFn) -> tuple[Any, Any]:
        first, tape = _first(draw, what)
        return first, _object(Tape(draw, tape.entries), what)

    return _strategy(pair)


def neighbours(what: Drawable) -> SearchStrategy[tuple[Any, Any]]:
    """Return a strategy for pairs of objects that mostly differ in one static value."""

    def pair(draw: DrawFn) -> tuple[Any, Any]:
        first, tape = _first(draw, what)
        free = [index for index, entry in enumerate(tape.entries) if entry.is_free]
        # Sometimes they differ in everything.
        changed = draw(strategies.sampled_from([*free, None]))
        if changed is None:
            return first, _first(draw, what)[0]
        return first, _object(Tape(draw, tape.entries, changed), what)

    return _strategy(pair)


def _first(draw: DrawFn, what: Drawable) -> tuple[Any, Tape]:
    tape = Tape(draw)
    return _object(tape, what), tape


def _object(tape: Tape, what: Drawable) -> Any:
    return what.draw(Draw(tape, DrawnSizes(*dimensions(*what.types))))


def _strategy(function: Callable[[DrawFn], T]) -> SearchStrategy[T]:
    @strategies.composite
    def value(draw: DrawFn) -> T:
        try:
            return function(draw)
        except Rejected:
            reject()

    return value()
