# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""Recipes: how a value of each type of a schema is drawn, with Hypothesis.

    @drawn("nx ny")
    def any_Plate() -> Recipe[heat.Plate]:
        return made(heat.Plate, u=donated(array("float32", "nx ny")), ...)

    any_Plate()                         # a strategy that draws objects of `Plate`
    any_Plate(dx=st.just(0.5))          # one that draws this field from a strategy
    any_Plate.override(dx=...)          # from now on, wherever a `Plate` is drawn
    any_Plate.copies()                  # pairs of equal objects, made independently
    any_Plate.neighbours()              # pairs that differ in one static value, mostly

Sizes of dimensions are drawn once for an object, leaves are NumPy arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from . import values
from .content import content, static_content
from .draw import Draw, Recipe, Refused, Simple, Sizes, Tape
from .roles import ROLES, SHARES, Role, roles_of

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")
V = TypeVar("V")

_ATTEMPTS = 8  # to make an object that its constructor does not refuse


def one_of(*options: Recipe[Any]) -> Recipe[Any]:
    """Draw from one of several recipes; the first ends soonest."""

    def function(draw: Draw) -> Any:
        chosen = 0 if draw.is_deep else draw.integer(0, len(options) - 1)
        return options[chosen].draw(draw)

    return Simple(function)


def optional(recipe: Recipe[T]) -> Recipe[T | None]:
    """Draw None or a value."""
    return one_of(values.none, recipe)


def items(*recipes: Recipe[Any]) -> Recipe[tuple[Any, ...]]:
    """Draw a tuple with one item of each recipe."""
    return Simple(lambda draw: tuple(recipe.draw(draw) for recipe in recipes))


def lists(recipe: Recipe[T]) -> Recipe[list[T]]:
    """Draw a list."""
    return Simple(lambda draw: [recipe.draw(draw) for _ in range(draw.count())])


def tuples(recipe: Recipe[T], size: str = "") -> Recipe[tuple[T, ...]]:
    """Draw a tuple of any length, or of the size of a dimension."""

    def function(draw: Draw) -> tuple[T, ...]:
        count = draw.size(size) if size else draw.count()
        return tuple(recipe.draw(draw) for _ in range(count))

    return Simple(function)


def frozensets(recipe: Recipe[T]) -> Recipe[frozenset[T]]:
    """Draw a frozenset."""
    return Simple(
        lambda draw: frozenset(recipe.draw(draw) for _ in range(draw.count()))
    )


def mappings(
    kind: Callable[[dict[Any, Any]], V], key: Recipe[Any], value: Recipe[Any]
) -> Recipe[V]:
    """Draw a dict or a frozendict."""

    def function(draw: Draw) -> V:
        pairs = [(key.draw(draw), value.draw(draw)) for _ in range(draw.count())]
        return kind(dict(pairs))

    return Simple(function)


def size(name: str) -> Recipe[int]:
    """Draw an integer; where an array has a dimension of this name, its size.

    A base's parameter may be a number to the class: then it is that.
    """

    def function(draw: Draw) -> int:
        if not name.isidentifier():
            return draw.size(name)
        if draw.sizes.is_bound(name):
            return draw.sizes.get(name, draw)
        return values.integer.draw(draw)

    return Simple(function)


def sized(recipe: Recipe[T], **dims: str) -> Recipe[T]:
    """Draw an object of a class with dimension parameters, which are these sizes."""

    def function(draw: Draw) -> T:
        own = {name: draw.named_size(dim) for name, dim in dims.items()}
        return recipe.draw(replace(draw, sizes=draw.sizes.inside(own)))

    return Simple(function)


def typed(recipe: Recipe[T], types: Mapping[str, Recipe[Any]]) -> Recipe[T]:
    """Draw an object of a generic class, whose type parameters are these types."""

    def function(draw: Draw) -> T:
        def meant(inner: Draw, one: Recipe[Any]) -> Any:
            # Its sizes, and the parameters in it, are those of what holds the object.
            return one.draw(replace(inner, sizes=draw.sizes, types=draw.types))

        known = {name: functools.partial(meant, one=one) for name, one in types.items()}
        return recipe.draw(replace(draw, types=known))

    return Simple(function)


def parameter(name: str) -> Recipe[Any]:
    """Draw a value of a type parameter: of any type, where nobody says which."""
    return Simple(lambda draw: draw.types.get(name, values.anything.draw)(draw))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a class: its role, and how its values are drawn."""

    role: Role
    recipe: Recipe[Any]
    # Its constructor keeps not what it is given, but what somebody's function makes of it.
    is_converted: bool = False
    # Its values decide sizes, which those of other fields only have.
    decides: bool = False


def static(recipe: Recipe[Any]) -> Field:
    """Declare a static field."""
    return Field("static", recipe)


def converted(recipe: Recipe[Any]) -> Field:
    """Declare a static field whose values go through `convert=`."""
    return Field("static", recipe, is_converted=True)


def dynamic(recipe: Recipe[Any], *, decides: bool = False) -> Field:
    """Declare a dynamic field."""
    return Field("dynamic", recipe, decides=decides)


def donated(recipe: Recipe[Any], *, decides: bool = False) -> Field:
    """Declare a donated field."""
    return Field("donated", recipe, decides=decides)


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    """How an object of a class is drawn: all its fields, then its constructor."""

    cls: Callable[..., T]
    fields: Mapping[str, Field]
    # Paths of attributes that are one object, the owner's first.
    shares: tuple[tuple[str, ...], ...] = ()
    given: Mapping[str, SearchStrategy[Any]] = field(
        default_factory=dict[str, "SearchStrategy[Any]"]
    )

    def draw(self, draw: Draw) -> T:
        start = len(draw.tape.entries)
        before = draw.sizes.known()
        for _ in range(_ATTEMPTS if draw.tape.is_first else 1):
            # What was drawn in vain is no part of the object.
            del draw.tape.entries[start:]
            draw.sizes.forget(before)
            names = sorted(self.fields, key=lambda name: not self.fields[name].decides)
            arguments = {name: self._value(name, draw) for name in names}
            try:
                for owner, *borrowers in self.shares:
                    part = _get(arguments, owner)
                    # A class on the way to a borrower may share parts of it.
                    for path in (*borrowers, owner, *borrowers):
                        _put(arguments, self.shares, path, part)
                        part = _get(arguments, path)
                made = self.cls(**arguments)
            except ValueError:  # of a mixin's `__check_init__`, or a converter
                continue
            self._compare(made, arguments)
            return made
        raise Refused

    def _compare(self, made: T, arguments: Mapping[str, Any]) -> None:
        """Two objects with different values do not become one: each has its own."""
        for name, declared in self.fields.items():
            of = static_content if declared.role == "static" else content
            found, expected = getattr(made, name), arguments[name]
            if declared.is_converted or of(found) == of(expected):
                continue
            if declared.role == "static" or not _is_number_of(found, expected):
                raise AssertionError(f"{name}={expected!r} has become {found!r}")

    def _value(self, name: str, draw: Draw) -> Any:
        declared = self.fields[name]
        is_static = draw.is_static or declared.role == "static"
        inner = replace(draw, depth=draw.depth + 1, is_static=is_static)
        strategy = self.given.get(name)
        if strategy is not None:
            return inner.value(lambda: strategy)
        return declared.recipe.draw(inner)


def _is_number_of(found: Any, given: Any) -> bool:
    """Tell whether a union of numbers, in a traced place, has made one of another kind."""
    kind: Any = type(found)
    numbers = kind in (float, complex) and type(given) in (int, float)
    return numbers and bool(found == kind(given))


def made(cls: Callable[..., T], /, **fields: Field) -> Made[T]:
    """Draw objects of a class, from recipes of all its fields."""
    ROLES[cls] = {name: declared.role for name, declared in fields.items()}
    return Made(cls, fields)


def sharing(recipe: Made[T], *shares: str) -> Made[T]:
    """Let paths of attributes be one object: `"embed encoder.embed"`."""
    paths = tuple(tuple(share.split()) for share in shares)
    SHARES[recipe.cls] = paths
    return replace(recipe, shares=paths)


def _get(arguments: Mapping[str, Any], path: str) -> Any:
    name, *rest = path.split(".")
    value = arguments[name]
    for part in rest:
        value = getattr(value, part)
    return value


def _put(
    arguments: dict[str, Any], shares: tuple[tuple[str, ...], ...], path: str, part: Any
) -> None:
    """Put a part at a path, and wherever it leads to as well."""
    waiting = [(path, part)]
    done: set[str] = set()
    while waiting:
        path, part = waiting.pop()
        if path in done:
            continue
        done.add(path)
        name, *rest = path.split(".")
        arguments[name] = _with(arguments[name], rest, part)
        for row in shares:
            for one in row:
                if f"{path}.".startswith(f"{one}."):
                    waiting += [(each + path[len(one) :], part) for each in row]
                elif one.startswith(f"{path}."):
                    waiting += [(each, _get(arguments, one)) for each in row]


def _with(value: Any, path: list[str], part: Any) -> Any:
    if not path:
        return part
    before = {name: getattr(value, name) for name in roles_of(value) or ()}
    after = dict(before)
    _put(after, SHARES.get(type(value), ()), ".".join(path), part)
    changed = {name: each for name, each in after.items() if each is not before[name]}
    return value.replace(**changed) if changed else value


class Drawn(Generic[T]):
    """A class that can be drawn; called, it gives a strategy for Hypothesis."""

    def __init__(
        self, recipe: Callable[[], Recipe[T]], dims: frozenset[str], least: int
    ) -> None:
        self.__doc__ = recipe.__doc__
        self._name = recipe.__name__
        self._recipe = recipe
        self._dims = dims
        self._least = least
        self._given: dict[str, SearchStrategy[Any]] = {}

    def __call__(self, /, **fields: SearchStrategy[Any]) -> SearchStrategy[T]:
        """Draw objects; of each field in `fields`, what its strategy draws."""
        return self._strategy(lambda draw: self._first(draw, fields)[0])

    def copies(self, /, **fields: SearchStrategy[Any]) -> SearchStrategy[tuple[T, T]]:
        """Draw pairs of equal objects that have no part in common."""

        def pair(draw: DrawFn) -> tuple[T, T]:
            first, tape = self._first(draw, fields)
            return first, self._object(Tape(draw, tape.entries), fields)

        return self._strategy(pair)

    def neighbours(
        self, /, **fields: SearchStrategy[Any]
    ) -> SearchStrategy[tuple[T, T]]:
        """Draw pairs of objects that differ in one static value, mostly."""

        def pair(draw: DrawFn) -> tuple[T, T]:
            from hypothesis import strategies

            first, tape = self._first(draw, fields)
            free = [index for index, entry in enumerate(tape.entries) if entry.is_free]
            # Sometimes they differ in everything.
            changed = draw(strategies.sampled_from([*free, None]))
            if changed is None:
                return first, self._first(draw, fields)[0]
            return first, self._object(Tape(draw, tape.entries, changed), fields)

        return self._strategy(pair)

    def override(self, /, **fields: SearchStrategy[Any]) -> None:
        """Draw these fields from these strategies, wherever such an object is drawn."""
        self._with_given(fields)
        self._given |= fields

    def draw(self, draw: Draw) -> T:
        return self._with_given(self._given).draw(draw)

    def _with_given(self, given: Mapping[str, SearchStrategy[Any]]) -> Recipe[T]:
        recipe = self._recipe()
        if not given:
            return recipe
        known = recipe.fields if isinstance(recipe, Made) else {}
        unknown = sorted(given.keys() - known.keys())
        if unknown:
            raise TypeError(f"`{self._name}` has no field `{unknown[0]}`")
        return replace(cast("Made[T]", recipe), given=given)

    def _first(
        self, draw: DrawFn, fields: Mapping[str, SearchStrategy[Any]]
    ) -> tuple[T, Tape]:
        tape = Tape(draw)
        return self._object(tape, fields), tape

    def _object(self, tape: Tape, fields: Mapping[str, SearchStrategy[Any]]) -> T:
        recipe = self._with_given({**self._given, **fields})
        return recipe.draw(Draw(tape, Sizes(self._dims, self._least)))

    def _strategy(self, function: Callable[[DrawFn], V]) -> SearchStrategy[V]:
        from hypothesis import reject, strategies

        @strategies.composite
        def drawn_value(draw: DrawFn) -> V:
            try:
                return function(draw)
            except Refused:
                reject()

        return drawn_value()


def drawn(
    dims: str = "", *, least: int = 1
) -> Callable[[Callable[[], Recipe[T]]], Drawn[T]]:
    """Let a class be drawn.

    Args:
        dims: the dimensions that arrays of its objects have
        least: the least size with which no arithmetic over them gets negative
    """

    def decorate(recipe: Callable[[], Recipe[T]]) -> Drawn[T]:
        return Drawn(recipe, frozenset(dims.split()), least)

    return decorate
