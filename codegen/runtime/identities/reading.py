# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Read the graph that a tree was written from.

    Reader().read((First(..., x), Again(...)))      # (x, x): one array

What makes the graph of the leaves is found once for each structure, and remembered: a
list of steps, each of which makes one object or container of what there is before it.
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import jax

from ..classes.registration import Record, unflatten
from ..classes.trees import is_ours
from .graphs import is_hole, level_of, record_of
from .nodes import Again, Alias, First, Name, Node, Whole, seen

Make: TypeAlias = Callable[[tuple[Any, ...]], Any]

# How many structures a reader remembers.
_STRUCTURES_MAX: Final = 128


@dataclasses.dataclass(frozen=True, slots=True)
class Steps:
    """How a graph is made of the leaves of a tree."""

    # What each step makes, and of which leaves and results of earlier steps.
    steps: list[tuple[Make, list[int]]]
    # Which of them is the graph.
    result: int
    # Whether JAX's own `==` tells the structure that it is for from all others.
    exact: bool

    def run(self, leaves: Sequence[Any]) -> Any:
        values = list(leaves)
        for make, positions in self.steps:
            values.append(make(tuple([values[position] for position in positions])))
        return values[self.result]


class Reader:
    """Reads trees, and remembers how those of one structure are read."""

    def __init__(self) -> None:
        self.steps = functools.lru_cache(_STRUCTURES_MAX)(_find_steps)

    def read(self, tree: Any) -> Any:
        """Return the graph of a tree; the tree itself if nothing in it is twice.

        Raises:
            ValueError: the tree has later places of an object, but not its first one
        """
        before = seen.count
        leaves, treedef = jax.tree_util.tree_flatten(tree)
        if seen.count == before:
            return tree
        steps = self.steps(treedef)
        if not steps.exact:
            # JAX may believe that the metadata is the same where it is not.
            steps = _find_steps(treedef)
        return steps.run(leaves)


@dataclasses.dataclass(eq=False, slots=True)
class _Part:
    """An object or container: what makes it, and of what."""

    make: Make
    items: list["_Item"]
    # Of an object, the fields that the items are of.
    names: Sequence[str] = ()
    # The number of what the step makes.
    number: int | None = None


@dataclasses.dataclass(eq=False, slots=True)
class _Borrowed:
    """A part that is borrowed: its owner's, when that is known."""

    owner: "_Item | None" = None


# A leaf is its number.
_Item: TypeAlias = "_Part | _Borrowed | int"


@dataclasses.dataclass(frozen=True, slots=True)
class _Instead:
    """What takes the place of an object some levels above."""

    up: int
    item: _Item


def _find_steps(treedef: Any) -> Steps:
    skeleton = jax.tree_util.tree_unflatten(treedef, range(treedef.num_leaves))
    steps: list[tuple[Make, list[int]]] = []

    def emit(item: Any) -> int:
        if type(item) is int:
            return item
        if type(item) is _Borrowed:
            return emit(item.owner)
        if item.number is None:
            positions = [emit(each) for each in item.items]
            item.number = treedef.num_leaves + len(steps)
            steps.append((item.make, positions))
        number: int = item.number
        return number

    result = emit(_SkeletonReader().read(skeleton))
    return Steps(steps, result, is_ours(treedef, (First, Again, Whole)))


class _SkeletonReader:
    """Finds the steps, on a skeleton of the tree whose leaves are their numbers."""

    def __init__(self) -> None:
        # What is above, from the root down, and a number for each that is its alone.
        self.above: list[_Part] = []
        self.numbers: list[int] = []
        self.count = 0
        # By the number of a root and a name.
        self.named: dict[tuple[int, Name], _Item] = {}

    def read(self, value: Any) -> "_Item | _Instead":
        kind = type(value)
        if kind is int:
            item: int = value
            return item
        if kind is First:
            return self.read_first(value)
        if kind is Again:
            return self.read_again(value)
        if kind is Whole:
            return _Part(functools.partial(_constant, value.about[1]), [])
        if is_hole(kind):
            return _Borrowed()
        leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=_is_place)
        if not any(map(_is_place, leaves)):
            return _Part(functools.partial(_unflatten, treedef), leaves)
        return self.read_level(value)

    def read_level(self, value: Any) -> "_Item | _Instead":
        """Read a container or object; stop where something takes its place."""
        level = level_of(value)
        assert level is not None, "a skeleton has numbers for leaves"
        record = record_of(type(value))
        names = () if record is None else record.data_fields
        part = _Part(functools.partial(_unflatten, level.treedef), [], names)
        self.enter(part)
        for each in level.items:
            item = self.read(each)
            if isinstance(item, _Instead):
                self.leave()
                return _Instead(item.up - 1, item.item) if item.up > 1 else item.item
            part.items.append(item)
        self.leave()
        if record is not None:
            self.borrow(part, value, record)
        return part

    def borrow(self, part: _Part, value: Any, record: Record) -> None:
        """Put what an object's class shares in the places that borrow it."""
        for path, owner in record.holes(value):
            place = _attribute(part, path)
            if type(place) is _Borrowed:
                # What is further out knows better: of its parts, there is only one place.
                place.owner = _attribute(part, owner)
                if _is_circular(place):
                    raise _circular(record.cls, path, owner)
        if record.shares or any(type(each) is _Borrowed for each in part.items):
            # Not as the class does it, which makes new objects where parts are borrowed.
            part.make = functools.partial(unflatten, value.__codegen_key__)

    def read_first(self, node: First) -> "_Item | _Instead":
        self.enter(_Part(functools.partial(_constant, None), []))
        leaf = self.read(node.leaves[0])
        self.leave()
        if not isinstance(leaf, _Instead):
            self.bind(node.about, leaf)
        return leaf

    def read_again(self, node: Again) -> "_Item | _Instead":
        alias, aliases = node.about
        up, out, name, down, at = alias
        try:
            item = self.named[self.numbers[-out], name]
        except LookupError:
            raise _missing(name, at) from None
        item = _attribute(item, down)
        self.bind(aliases, item)
        return _Instead(up, item) if up else item

    def bind(self, aliases: tuple[Alias, ...], item: _Item) -> None:
        """Note what begins at this leaf."""
        for up, out, name, _, _ in aliases:
            # An array that is a whole argument has no root above it to be named in.
            if 0 < out <= len(self.numbers):
                found = self.above[-up] if up else item
                self.named[self.numbers[-out], name] = found

    def enter(self, part: _Part) -> None:
        self.count += 1
        self.above.append(part)
        self.numbers.append(self.count)

    def leave(self) -> None:
        self.above.pop()
        self.numbers.pop()


def _is_place(value: Any) -> bool:
    """Tell whether something stands for an object that is elsewhere, or begins here."""
    return isinstance(value, Node) or is_hole(type(value))


def _unflatten(treedef: Any, items: Sequence[Any]) -> Any:
    return jax.tree_util.tree_unflatten(treedef, items)


def _attribute(item: _Item, path: Sequence[str]) -> _Item:
    """Return what lies at a path of attributes of a part."""
    for name in path:
        if type(item) is _Part and name in item.names:
            item = item.items[item.names.index(name)]
        else:
            item = _Part(functools.partial(_field, name), [item])
    return item


def _is_circular(place: _Borrowed) -> bool:
    """Tell whether a part that is borrowed is, in the end, borrowed from itself."""
    item: _Item | None = place.owner
    while type(item) is _Borrowed and item is not place:
        item = item.owner
    return item is place


def _circular(cls: type[Any], path: Sequence[str], owner: Sequence[str]) -> ValueError:
    """Refuse one object in two places each of which owns what the other borrows."""
    borrowed, owned = ".".join(path), ".".join(owner)
    name = cls.__qualname__
    return ValueError(
        f"`{borrowed}` of a `{name}` is `{owned}` by its rows of `share`, but both "
        "are in one object, of which another row has the other place borrow: its parts "
        "have no place of their own. Share the object itself, or pass a copy of it as "
        "one of the two"
    )


def _field(name: str, items: Sequence[Any]) -> Any:
    return getattr(items[0], name)


def _constant(value: Any, items: Sequence[Any]) -> Any:
    return value


def _is_again(node: Any) -> bool:
    return type(node) is Again


def require_first(tree: Any) -> None:
    """Refuse a tree that has no leaf, but later places of objects.

    Raises:
        ValueError: so it is
    """
    leaves = jax.tree_util.tree_leaves(tree, is_leaf=_is_again)
    if leaves and all(map(_is_again, leaves)):
        alias, _ = leaves[0].about
        raise _missing(alias.name, alias.at)


def require_one_axis(args: Sequence[Any], axes: Sequence[Any]) -> None:
    """Refuse arguments that hold one object, but are mapped along different axes.

    Args:
        args: as they are written
        axes: what `in_axes` has for each; None, or a tree of axes, contradicts nothing

    Raises:
        ValueError: so it is
    """
    for number, arg in enumerate(args):
        for node in jax.tree_util.tree_leaves(arg, is_leaf=_is_again):
            name = node.about[0].name if _is_again(node) else 0
            if type(name) is not str:
                continue
            first = int(name.removeprefix("args[").partition("]")[0])
            both = (axes[first], axes[number])
            if all(isinstance(axis, int) for axis in both) and both[0] != both[1]:
                raise ValueError(
                    f"`{node.about[0].at}` is the same object as `{name}`, but "
                    f"`in_axes` maps them along {both[1]} and {both[0]}: one "
                    "object has one axis; pass a copy, or the same axis"
                )


def _missing(name: Name, at: str) -> ValueError:
    first = f"`{name}`" if type(name) is str else "another place"
    return ValueError(
        f"`{at}` is the same object as {first}, where it is first, and the result has "
        "only the later place: the first one carries gradient and axis. Name that "
        "argument in `argnums` (too), or pass different objects"
    )
