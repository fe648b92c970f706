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

from ..call.entries import Pick, make_pick
from ..classes.registration import Record
from ..classes.structures import InexactStructure, Structure, is_ours
from .graphs import is_hole, record_of, take_apart
from .marks import Again, First, Mark, Name, Whole, seen

Make: TypeAlias = Callable[[Sequence[Any]], Any]

# How many structures a reader remembers.
_STRUCTURES_MAX: Final = 128
# Their metadata is of this package.
_MARKS: Final = (First, Again, Whole)


@dataclasses.dataclass(frozen=True, slots=True)
class Program:
    """How a graph is made of the leaves of a tree."""

    # What each step makes, and of which leaves and results of earlier steps.
    steps: tuple[tuple[Make, Pick], ...]
    # Which of them is the graph.
    result: int
    # Whether JAX's own `==` tells the structure that it is for from all others.
    exact: bool

    def run(self, leaves: Sequence[Any]) -> Any:
        values = list(leaves)
        for make, pick in self.steps:
            values.append(make(pick(values)))
        return values[self.result]


class Reader:
    """Reads trees, and remembers how those of one structure are read."""

    def __init__(self) -> None:
        self.programs: dict[Any, Program] = {}

    def read(self, tree: Any) -> Any:
        """Return the graph of a tree; the tree itself if it has no marks.

        Raises:
            ValueError: the tree has later places of an object, but not its first one
        """
        before = seen.count
        leaves, treedef = jax.tree_util.tree_flatten(tree)
        if seen.count == before:
            return tree
        program = self.programs.get(treedef)
        if program is None:
            program = self.add(treedef, treedef)
        if not program.exact:
            # JAX may believe that the metadata is the same where it is not.
            program = self.exactly(treedef)
        return program.run(leaves)

    def exactly(self, treedef: Any) -> Program:
        key = Structure(treedef)
        try:
            return self.programs.get(key) or self.add(key, treedef)
        except InexactStructure:
            return _compile(treedef)

    def add(self, key: Any, treedef: Any) -> Program:
        program = _compile(treedef)
        if len(self.programs) >= _STRUCTURES_MAX:
            self.programs.clear()
        self.programs[key] = program
        return program


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


def _compile(treedef: Any) -> Program:
    skeleton = jax.tree_util.tree_unflatten(treedef, range(treedef.num_leaves))
    steps: list[tuple[Make, Pick]] = []

    def emit(item: Any) -> int:
        if type(item) is int:
            return item
        if type(item) is _Borrowed:
            return emit(item.owner)
        if item.number is None:
            pick = make_pick([emit(each) for each in item.items])
            item.number = treedef.num_leaves + len(steps)
            steps.append((item.make, pick))
        number: int = item.number
        return number

    result = emit(_Compiler().read(skeleton))
    return Program(tuple(steps), result, is_ours(treedef, _MARKS))


class _Compiler:
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
        if is_hole(kind):
            return _Borrowed()
        if _is_plain(value):
            leaves, treedef = jax.tree_util.tree_flatten(value)
            return _Part(
                functools.partial(jax.tree_util.tree_unflatten, treedef), leaves
            )
        if kind is First:
            return self.read_first(value)
        if kind is Again:
            return self.read_again(value)
        if kind is Whole:
            return _Part(functools.partial(_constant, value.value), [])
        record = record_of(kind)
        return (
            self.read_container(value)
            if record is None
            else self.read_object(value, record)
        )

    def read_object(self, value: Any, record: Record) -> "_Item | _Instead":
        children, key = record.flatten(value)
        make = functools.partial(record.unflatten, key)
        part = _Part(make, [], record.data_fields)
        item = self.read_items(part, children)
        if item is not part:
            return item
        for path, owner in record.holes(value):
            place = _attribute(part, path)
            if type(place) is _Borrowed:
                # What is further out knows better: of its parts, there is only one place.
                place.owner = _attribute(part, owner)
                if _is_circular(place):
                    raise _circular(key.cls, path, owner)
        if record.shares or any(type(each) is _Borrowed for each in part.items):
            # Not as the class does it, which makes new objects where parts are borrowed.
            part.make = functools.partial(_assemble, record, key)
        return part

    def read_container(self, value: Any) -> "_Item | _Instead":
        items, make, _ = take_apart(value) or ([], _nothing, "")
        return self.read_items(_Part(make, []), items)

    def read_items(self, part: _Part, values: Sequence[Any]) -> "_Item | _Instead":
        """Read what a part is made of; stop where something takes its place."""
        self.enter(part)
        result: _Item | _Instead = part
        for value in values:
            item = self.read(value)
            if isinstance(item, _Instead):
                result = _above(item)
                break
            part.items.append(item)
        self.leave()
        return result

    def read_first(self, node: First) -> "_Item | _Instead":
        self.enter(_Part(_nothing, []))
        leaf = self.read(node.leaf)
        self.leave()
        if not isinstance(leaf, _Instead):
            self.bind(node.marks, leaf)
        return leaf

    def read_again(self, node: Again) -> "_Item | _Instead":
        mark, marks = node.about
        up, out, name, down, at = mark
        try:
            item = self.named[self.numbers[-out], name]
        except LookupError:
            raise _missing(name, at) from None
        item = _attribute(item, down)
        self.bind(marks, item)
        return _Instead(up, item) if up else item

    def bind(self, marks: tuple[Mark, ...], item: _Item) -> None:
        """Note what begins at this leaf."""
        for up, out, name, _, _ in marks:
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


def _is_plain(value: Any) -> bool:
    """Tell whether a part of the skeleton has neither marks nor holes."""
    kind = type(value)
    if kind in (First, Again, Whole) or is_hole(kind):
        return False
    record = record_of(kind)
    if record is not None:
        return all(_is_plain(getattr(value, name)) for name in record.data_fields)
    items, _, _ = take_apart(value) or ((), None, None)
    return all(map(_is_plain, items))


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


def _above(instead: _Instead) -> "_Item | _Instead":
    return _Instead(instead.up - 1, instead.item) if instead.up > 1 else instead.item


def _assemble(record: Record, key: Any, children: Sequence[Any]) -> Any:
    obj = object.__new__(key.cls)
    for name, child in zip(record.data_fields, children, strict=True):
        object.__setattr__(obj, name, child)
    for name, value in zip(record.meta_fields, key.values, strict=True):
        object.__setattr__(obj, name, value)
    object.__setattr__(obj, "__codegen_key__", key)
    return obj


def _constant(value: Any, items: Sequence[Any]) -> Any:
    return value


def _nothing(items: Sequence[Any]) -> None:
    return None


def require_first(tree: Any) -> None:
    """Refuse a tree that has no leaf, but later places of objects.

    Raises:
        ValueError: so it is
    """
    leaves = jax.tree_util.tree_leaves(tree, is_leaf=lambda node: type(node) is Again)
    for node in leaves:
        if type(node) is not Again:
            return
    for node in leaves:
        mark, _ = node.about
        raise _missing(mark.name, mark.at)


def require_one_axis(args: Sequence[Any], axes: Sequence[Any]) -> None:
    """Refuse arguments that hold one object, but are mapped along different axes.

    Args:
        args: written, with their marks
        axes: what `in_axes` has for each; None, or a tree of axes, contradicts nothing

    Raises:
        ValueError: so it is
    """
    for number, arg in enumerate(args):
        leaves = jax.tree_util.tree_leaves(
            arg, is_leaf=lambda node: type(node) is Again
        )
        for node in leaves:
            name = node.about[0].name if type(node) is Again else 0
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
