"""Write trees in which every object and array has one place, and read them again.

    Writing([m, (m, m.left)], names).written    # [m, (Again(m), Again(m.left))]
    read([m, (Again(m), Again(m.left))], name)  # [m, (m, m.left)]

Objects of generated classes and arrays are told apart by identity. All else is a
container, which has none, or a leaf: numbers, strings, functions.

An `Again` has no leaves, and says how one gets from it to the first place. So what is
a prefix of the tree, such as vmap's `in_axes`, is a prefix of the written one; and a
part of it can be read alone, as a gradient, and within a leaf of another, as a Hessian.
"""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import numpy as np

from ..classes.registration import Record
from ..keys.names import is_generated, is_hole

# The numbers of children, from the root down.
Path: TypeAlias = tuple[int, ...]
# JAX's stubs know less of these.
_registry: Final[Any] = jax.tree_util.default_registry


class Again(NamedTuple):
    """A later place of an object or array."""

    # How many levels above this the place is; 0: it is here.
    up: int
    # Where the place is, and the first one, from the innermost container of both.
    at: Path
    first: Path
    # Whether that is the list of trees, which may be read in part: the paths begin with
    # the numbers of the two trees.
    crosses: bool


class First(NamedTuple):
    """The first leaf of a tree that others refer to; of one without leaves, its root."""

    # The number of the tree, and how many levels above this its root is.
    about: tuple[int, int]
    child: Any


jax.tree_util.register_pytree_node(
    Again, lambda again: ((), again), lambda again, _: again
)
jax.tree_util.register_pytree_node(
    First,
    lambda first: ((first.child,), first.about),
    lambda about, children: First(about, children[0]),
)


class Writing:
    """Trees as they are written, and what was found out about them."""

    def __init__(self, trees: Sequence[Any], names: Sequence[str], deep: bool) -> None:
        """Write the graph of several trees without cycles, by their names for errors.

        With `deep` an object has its structure at each of its places, so that a tree of
        such objects, as of vmap's axes, is a prefix of what is written.
        """
        self.trees, self.names, self.deep = trees, names, deep
        # By id, where each object and array is first.
        self.places: dict[int, Path] = {}
        # The first and a later place of what is in several trees.
        self.crossing: list[tuple[Path, Path]] = []
        # By id, where the objects and containers are that hold what is being written.
        self.open: dict[int, Path] = {}
        # What was made on the way: its id must not be given to anything else.
        self.kept: list[Any] = []
        self.written = [self._write(tree, tree, (i,)) for i, tree in enumerate(trees)]
        for number in {first[0] for first, _ in self.crossing}:
            self.written[number] = _marked(self.written[number], number)

    def name(self, path: Path) -> str:
        """Return what a place is called. Example: "`args[0].left[1]`"."""
        value, name = self.trees[path[0]], self.names[path[0]]
        for number in path[1:]:
            pairs, _ = _registry.flatten_one_level_with_keys(value)
            key, value = list(pairs)[number]
            name += jax.tree_util.keystr((key,))
        return f"`{name}`"

    def _write(self, value: Any, shadow: Any, path: Path) -> Any:
        """Write a part of a tree: `shadow` is what is flattened in place of a value.

        It is another object where parts are borrowed.
        """
        ident = id(value)
        kind: Any = type(value)
        is_array = _is_array(kind)
        record: Record | None = getattr(kind, "__codegen_record__", None)
        if is_array or record is not None:
            first = self.places.setdefault(ident, path)
            if first is not path and ident not in self.open:
                return self._again(first, path, shadow)
        level = None if is_array else _level_of(shadow)
        if level is None:
            return shadow
        if ident in self.open:
            whole = f"the `{kind.__qualname__}` at {self.name(self.open[ident])}"
            raise ValueError(
                f"{self.name(path)} is {whole}, of which it is a part: a cycle, which no "
                "tree of JAX can have; hold an index in its place"
            )
        self.open[ident] = path
        self.kept.append(level)
        lender = record if shadow is not value or (record and record.shares) else None
        written: list[Any] = []
        for number, child in enumerate(level[0]):
            held = child
            if lender is not None and is_generated(child):
                # If it has holes of this object's making, the child is a copy.
                held = getattr(value, [*lender.data_fields][number])
            written.append(self._write(held, child, (*path, number)))
        del self.open[ident]
        return _made_of(written, shadow, level)

    def _again(self, first: Path, path: Path, shadow: Any) -> Any:
        common = 0
        while first[common] == path[common]:
            common += 1
        if common == 0:
            self.crossing.append((first, path))
        again = Again(0, path[common:], first[common:], common == 0)
        if not self.deep:
            return again
        pairs, treedef = jax.tree_util.tree_flatten_with_path(shadow)
        hollow = [again._replace(up=len(keys)) for keys, _ in pairs]
        return jax.tree_util.tree_unflatten(treedef, hollow) if pairs else again


@functools.lru_cache
def _is_array(kind: type[Any]) -> bool:
    """Tell whether leaves have an identity: arrays, tracers, ShapeDtypeStructs."""
    has_type = hasattr(kind, "dtype") and hasattr(kind, "shape")
    is_other = hasattr(kind, "__codegen_record__") or issubclass(kind, np.generic)
    return has_type and not is_other


def _level_of(value: Any) -> tuple[list[Any], Any] | None:
    level = _registry.flatten_one_level(value)
    # A class of others may give its children one by one.
    return None if level is None else (list(level[0]), level[1])


def _made_of(parts: list[Any], value: Any, level: tuple[list[Any], Any]) -> Any:
    if all(map(operator.is_, parts, level[0])):
        return value
    is_part = lambda item: item is not value  # noqa: E731
    treedef = jax.tree_util.tree_structure(value, is_leaf=is_part)
    return jax.tree_util.tree_unflatten(treedef, parts)


def _is_ours(value: Any) -> bool:
    return isinstance(value, Again | First)


def _marked(tree: Any, number: int) -> Any:
    """Return a written tree with a First, for the others to find it by."""
    pairs, treedef = jax.tree_util.tree_flatten_with_path(tree, is_leaf=_is_ours)
    if not pairs:
        return First((number, 0), tree)
    (path, leaf), *rest = pairs
    leaves = [First((number, len(path)), leaf), *(other for _, other in rest)]
    return jax.tree_util.tree_unflatten(treedef, leaves)


def read(tree: Any, name: Callable[[Path], str]) -> Any:
    """Return the graph of a written tree, or of what a transformation made of it.

    `name` is what a place in other trees is called, for the error of a later place of
    an object without the first one.
    """
    if not any(map(_is_ours, jax.tree_util.tree_leaves(tree, is_leaf=_is_ours))):
        return tree
    return _Reading(name).read(tree, ())


class _Elsewhere(Exception):
    """All of an object in which this was raised has been read before."""

    def __init__(self, place: Path, item: Any) -> None:
        super().__init__()
        self.place, self.item = place, item


class _Reading:
    def __init__(self, name: Callable[[Path], str]) -> None:
        self.name = name
        # What has been read.
        self.items: dict[Path, Any] = {}
        # The roots of the trees that others refer to, by the path of the list of trees,
        # None if one of them is read alone, and the number of the tree there.
        self.roots: dict[tuple[Path | None, int], Path] = {}

    def read(self, value: Any, path: Path) -> Any:
        if type(value) is First:
            number, depth = value.about
            root = path[: len(path) - depth]
            self.roots[root[:-1] if root else None, number] = root
            return self.read(value.child, path)
        is_again = type(value) is Again
        item = self._find(value, path) if is_again else self._read_parts(value, path)
        self.items[path] = item
        return item

    def _find(self, again: Again, path: Path) -> Any:
        place = path[: len(path) - again.up]
        depth = len(place) - len(again.at)
        outer = place[:depth] if depth >= 0 else None
        first: Path | None = None
        if again.crosses:
            root = self.roots.get((outer, again.first[0]))
            first = None if root is None else (*root, *again.first[1:])
        elif outer is not None:
            first = *outer, *again.first
        if first not in self.items:
            places = (again.first, again.at) if again.crosses else ()
            raise missing(*map(self.name, places))
        if again.up:
            raise _Elsewhere(place, self.items[first])
        return self.items[first]

    def _read_parts(self, value: Any, path: Path) -> Any:
        level = _level_of(value)
        if level is None:
            return value
        children, metadata = level
        try:
            parts = [self.read(child, (*path, i)) for i, child in enumerate(children)]
        except _Elsewhere as found:
            if found.place != path:
                raise
            return found.item
        record: Record | None = getattr(type(value), "__codegen_record__", None)
        if record is None or not record.shares:
            return _made_of(parts, value, level)
        # Its children have holes, which are filled when it is made of them: so they are
        # in it what they have been found to be.
        made = record.unflatten(metadata, tuple(parts))
        _require_filled(made, record)
        return made


def _require_filled(made: Any, record: Record) -> None:
    """Refuse one object in two places each of which owns what the other borrows."""

    def at(path: Sequence[str]) -> Any:
        return functools.reduce(lambda obj, name: getattr(obj, name, None), path, made)

    for path, owner in record.holes(made):
        is_own = path[-1] == owner[-1] and at(path[:-1]) is at(owner[:-1])
        if is_own and is_hole(at(path)):
            borrowed, owned = ".".join(path), ".".join(owner)
            raise ValueError(
                f"`{borrowed}` of a `{record.cls.__qualname__}` is `{owned}` by its rows "
                "of `share`, but both are in one object: share the object itself, or "
                "pass a copy of it as one of the two"
            )


def missing(first: str = "another place", later: str = "an object") -> ValueError:
    """Return the error for a later place without the first one."""
    return ValueError(
        f"{later} is the same object as {first}, which carries its gradient and axis, but "
        "is not in the result: name that in `argnums` (too), or pass different objects"
    )
