"""Preserve through a transformation which objects are the same object.

    @preserve_identities(jax.jit)
    def f(first, second):
        assert first is second
        return first, second

    one, other = f(m, m)        # one is other

For aliasing that no schema declares; parts declared by `share(...)` need no wrapper.
Objects of generated classes and arrays have an identity; tuples, `None` and numbers
have none. In the written trees of arguments and results, each object has one place:

    Writing([m, (m, m.left)], names).written    # [m, (ref, ref)], each a BackReference
    read([m, (ref, ref)], name)                 # [m, (m, m.left)]

A `BackReference` has no leaves, and contains the path to the first place. So a prefix
of the tree, such as vmap's `in_axes`, is a prefix of the written one. A part of it can
be read by itself, as a gradient, and within a leaf of another tree, as a Hessian.
"""

import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

import jax
import numpy as np

from .classes.registration import Record
from .keys.names import Generated, is_generated
from .sharing import HOLE

F = TypeVar("F", bound=Callable[..., Any])
# The options of a transformation. None: it is not one of JAX's, so they are unknown.
Options: TypeAlias = Mapping[str, Any] | None
# The numbers of children, from the root downwards.
Path: TypeAlias = tuple[int, ...]
# JAX's stubs do not cover all of it.
_trees: Final[Any] = jax.tree_util


def preserve_identities(transform: F) -> F:
    """Wrap a transformation so that it preserves which objects are the same object.

    Arguments that are one object are also one object inside the function, and so are
    their parts; results that are one object inside are one outside. This is part of the
    trace key. JAX sees each object once, at its first place, which determines its
    gradient and axis. A gradient has the places of the argument.

    The wrapped function raises a ValueError for objects that contain themselves, and if
    `argnums` selects an object only at its later places.

    Args:
        transform: a function that transforms functions: `jax.jit`, `jax.vmap`,
            `jax.grad`, `jax.checkpoint`, ..., or a `functools.partial` of one. In your
            own transformation, a result `value, aux` whose value is a number is treated
            as with `has_aux`
    """

    @functools.wraps(transform)
    def transformed(*options: Any, **named: object) -> object:
        if not options:
            return functools.partial(transformed, **named)
        function, *rest = options
        known = _read_options(transform, rest, named)
        outer = transform(_wrap_inner(function, known), *rest, **named)
        if not callable(outer):
            name = getattr(transform, "__name__", "transform")
            raise TypeError(
                "`preserve_identities` needs a transformation of functions, but "
                f"`{name}` returned a {type(outer).__name__}: pass `lambda f: "
                f"functools.partial({name}, f)`, if its carry has no object twice"
            )
        return _wrap_outer(outer, known)

    return cast("F", transformed)


def _wrap_inner(function: Callable[..., Any], known: Options) -> Callable[..., Any]:
    """Return a function from written arguments to a written result."""
    deep = _is_deep(known)
    # Whether it returns a value and something else. None: unknown.
    has_aux = None if known is None else bool(known.get("has_aux"))

    def write(result: object) -> object:
        return TreeWriter([result], ["result"], deep).written[0]

    @functools.wraps(function, updated=())
    def inner(*args: object, **kwargs: object) -> object:
        *arguments, named = rebuild([*args, kwargs], lambda _: "an argument")
        result = function(*arguments, **named)
        if type(result) is tuple and len(result) == 2 and has_aux is not False:
            value, aux = result
            if has_aux or getattr(value, "shape", None) == ():
                return write(value), write(aux)
        return write(result)

    return inner


def _wrap_outer(function: Callable[..., Any], known: Options) -> Callable[..., Any]:
    """Return a function that writes its arguments and reads the result."""
    deep = _is_deep(known)

    @functools.wraps(function, updated=())
    def call(*args: object, **kwargs: object) -> object:
        places = [f"args[{number}]" for number in range(len(args))]
        writing = TreeWriter([*args, kwargs], [*places, "kwargs"], deep)
        _require_first(writing, known or {}, len(args))
        *arguments, named = writing.written
        return rebuild(function(*arguments, **named), writing.name)

    for name in ("lower", "trace", "eval_shape", "clear_cache"):
        method = getattr(function, name, None)
        if method is not None:
            # Other attributes; a compiled function's stages take the same arguments.
            is_stage = name != "clear_cache"
            setattr(call, name, _wrap_outer(method, known) if is_stage else method)
    return call


def _require_first(writing: "TreeWriter", known: Mapping[str, Any], count: int) -> None:
    """Refuse arguments whose first place lacks the gradient or axis of a later one.

    An axis of None, or a tree of such axes, contradicts nothing. `count` arguments are
    given by position.
    """
    option, axes = known.get("argnums", ()), known.get("in_axes")
    numbers = (option,) if isinstance(option, int) else option
    argnums = {number % count for number in numbers if count}
    axes = axes if isinstance(axes, tuple | list) and len(axes) == count else ()
    for first, later in writing.crossing:
        one, other = first[0], later[0]
        if other in argnums and one not in argnums:
            raise missing_error(writing.name(first), writing.name(later))
        both = [axes[number] for number in (one, other) if number < len(axes)]
        if len({axis for axis in both if isinstance(axis, int)}) > 1:
            raise ValueError(
                f"{writing.name(later)} is the same object as {writing.name(first)}, but "
                f"`in_axes` maps it along {both[1]} and {both[0]}: pass a copy, or one axis"
            )


def _read_options(
    transform: Callable[..., Any], rest: list[Any], named: Mapping[str, Any]
) -> Options:
    """Return the options of one of JAX's own transformations; None for any other."""
    whole = functools.partial(transform)  # merges nested partials into one
    module = getattr(whole.func, "__module__", None) or ""
    if module.partition(".")[0] != "jax":
        return None
    # None is for the function.
    arguments, named = (*whole.args, None, *rest), {**whole.keywords, **named}
    bound = inspect.signature(whole.func).bind_partial(*arguments, **named)
    bound.apply_defaults()
    return bound.arguments


def _is_deep(known: Options) -> bool:
    """Return whether there may be trees of axes or shardings with objects in them."""
    leaves = _trees.tree_leaves(known, is_leaf=is_generated)
    return known is None or any(map(is_generated, leaves))


# --- written trees


@jax.tree_util.register_static
class BackReference(NamedTuple):
    """A later place of an object or array."""

    # The number of levels from here up to the place; 0: it is here.
    up: int
    # The path to this place and to the first one, from the innermost container of both.
    at: Path
    first: Path
    # Whether that container is the list of trees, which may be read in part. The paths
    # then begin with the numbers of the two trees.
    crosses: bool


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class ReferenceTarget:
    """The first leaf of a tree to which others refer; its root if it has no leaves."""

    child: Any
    # The number of the tree, and the number of levels from here up to its root.
    number: int = dataclasses.field(metadata={"static": True})
    depth: int = dataclasses.field(metadata={"static": True})


class TreeWriter:
    """Written trees, and facts about them."""

    def __init__(self, trees: Sequence[Any], names: Sequence[str], deep: bool) -> None:
        """Write the graph of several trees without cycles, by their names for errors.

        With `deep`, an object has its structure at each of its places. So a tree of
        such objects, such as vmap's axes, is a prefix of the written one.
        """
        self.trees, self.names, self.deep = trees, names, deep
        # The first place of each object and array, by id.
        self.places: dict[int, Path] = {}
        # The first and a later place of each object that is in several trees.
        self.crossing: list[tuple[Path, Path]] = []
        # The places of the objects and containers around the current value, by id.
        self.open: dict[int, Path] = {}
        # Temporary objects, kept so that no other object gets their ids.
        self.kept: list[Any] = []
        self.written = [self._write(tree, tree, (i,)) for i, tree in enumerate(trees)]
        for number in {first[0] for first, _ in self.crossing}:
            self.written[number] = _with_reference_target(self.written[number], number)

    def name(self, path: Path) -> str:
        """Return the name of a place. Example: "`args[0].left[1]`"."""
        value, name = self.trees[path[0]], self.names[path[0]]
        for number in path[1:]:
            pairs, _ = _trees.default_registry.flatten_one_level_with_keys(value)
            key, value = list(pairs)[number]
            name += _trees.keystr((key,))
        return f"`{name}`"

    def _write(self, value: object, shadow: object, path: Path) -> Any:
        """Write a part of a tree: `shadow` is flattened instead of the value.

        The two differ if parts are borrowed.
        """
        ident = id(value)
        kind: Any = type(value)
        is_array = _is_array(kind)
        record: Record | None = getattr(kind, "__codegen_record__", None)
        if is_array or record is not None:
            first = self.places.setdefault(ident, path)
            if first is not path and ident not in self.open:
                return self._refer(first, path, shadow)
        level = None if is_array else _level_of(shadow)
        if level is None:
            return shadow
        if ident in self.open:
            whole = f"the `{kind.__qualname__}` at {self.name(self.open[ident])}"
            raise ValueError(
                f"{self.name(path)} is {whole}, which contains it. No tree of JAX can "
                "have such a cycle: store an index instead"
            )
        self.open[ident] = path
        self.kept.append(level)
        lender = record if shadow is not value or (record and record.shares) else None
        children: list[Any] = []
        for number, child in enumerate(level[0]):
            held = child
            if lender is not None and is_generated(child):
                # If this object caused holes in the child, the child is a copy.
                held = getattr(value, [*lender.data_fields][number])
            children.append(self._write(held, child, (*path, number)))
        del self.open[ident]
        return _made_of(children, shadow, level)

    def _refer(self, first: Path, path: Path, shadow: object) -> object:
        common = 0
        while first[common] == path[common]:
            common += 1
        if common == 0:
            self.crossing.append((first, path))
        later = BackReference(0, path[common:], first[common:], common == 0)
        if not self.deep:
            return later
        pairs, treedef = _trees.tree_flatten_with_path(shadow)
        hollow = [later._replace(up=len(keys)) for keys, _ in pairs]
        return treedef.unflatten(hollow) if pairs else later


@functools.lru_cache
def _is_array(kind: type[Any]) -> bool:
    """Return whether leaves have an identity: arrays, tracers, ShapeDtypeStructs."""
    is_other = issubclass(kind, Generated) or issubclass(kind, np.generic)
    return hasattr(kind, "dtype") and hasattr(kind, "shape") and not is_other


def _level_of(value: object) -> tuple[list[Any], Any] | None:
    level = _trees.default_registry.flatten_one_level(value)
    # A foreign class may return its children as an iterator.
    return None if level is None else (list(level[0]), level[1])


def _made_of(parts: list[Any], value: object, level: tuple[list[Any], Any]) -> object:
    if all(map(operator.is_, parts, level[0])):
        return value
    treedef = _trees.tree_structure(value, is_leaf=lambda item: item is not value)
    return treedef.unflatten(parts)


def _is_ours(value: object) -> bool:
    return isinstance(value, BackReference | ReferenceTarget)


def _with_reference_target(tree: object, number: int) -> object:
    """Return a written tree with a ReferenceTarget, by which the other trees find it."""
    pairs, treedef = _trees.tree_flatten_with_path(tree, is_leaf=_is_ours)
    if not pairs:
        return ReferenceTarget(tree, number, 0)
    (path, leaf), *rest = pairs
    leaves = [ReferenceTarget(leaf, number, len(path)), *(other for _, other in rest)]
    return treedef.unflatten(leaves)


def rebuild(tree: object, name: Callable[[Path], str]) -> Any:
    """Rebuild the graph from a written tree, or from a transformation's result for it.

    `name` names a place in other trees, for an error about a missing object.
    """
    if not any(map(_is_ours, _trees.tree_leaves(tree, is_leaf=_is_ours))):
        return tree
    return _TreeReader(name).read(tree, ())


class _ReadBefore(Exception):
    """All of the object at a place was read before, as an item: its two arguments."""


class _TreeReader:
    def __init__(self, name: Callable[[Path], str]) -> None:
        self.name = name
        # The values that were read.
        self.items: dict[Path, Any] = {}
        # The roots of the trees to which others refer. The key is the path of the list
        # of trees, or None if one tree is read by itself, and the number of the tree.
        self.roots: dict[tuple[Path | None, int], Path] = {}

    def read(self, value: Any, path: Path) -> object:
        if type(value) is ReferenceTarget:
            root = path[: len(path) - value.depth]
            self.roots[root[:-1] if root else None, value.number] = root
            return self.read(value.child, path)
        read = self._find if type(value) is BackReference else self._read_parts
        item = self.items[path] = read(value, path)
        return item

    def _find(self, later: BackReference, path: Path) -> object:
        place = path[: len(path) - later.up]
        depth = len(place) - len(later.at)
        outer = place[:depth] if depth >= 0 else None
        start, rest = outer, later.first
        if later.crosses:
            start, rest = self.roots.get((outer, rest[0])), rest[1:]
        first = None if start is None else (*start, *rest)
        if first not in self.items:
            places = (later.first, later.at) if later.crosses else ()
            raise missing_error(*map(self.name, places))
        if later.up:
            raise _ReadBefore(place, self.items[first])
        return self.items[first]

    def _read_parts(self, value: object, path: Path) -> object:
        level = _level_of(value)
        if level is None:
            return value
        children, metadata = level
        try:
            parts = [self.read(child, (*path, i)) for i, child in enumerate(children)]
        except _ReadBefore as found:
            place, item = found.args
            if place != path:
                raise
            return item
        record: Record | None = getattr(type(value), "__codegen_record__", None)
        if record is None or not record.shares:
            return _made_of(parts, value, level)
        # The holes of its children are filled when it is created, so the children in it
        # are the ones to record.
        obj = record.unflatten(metadata, tuple(parts))
        _require_filled(obj, record)
        return obj


def _require_filled(whole: object, record: Record) -> None:
    """Refuse an object at two places if each place owns what the other one borrows."""

    def at(path: Sequence[str]) -> object:
        return functools.reduce(lambda obj, name: getattr(obj, name, None), path, whole)

    for path, owner in record.holes(whole):
        is_own = path[-1] == owner[-1] and at(path[:-1]) is at(owner[:-1])
        if is_own and at(path) is HOLE:
            borrowed, owned = ".".join(path), ".".join(owner)
            raise ValueError(
                f"`{borrowed}` of a `{record.cls.__qualname__}` is declared as shared "
                f"with `{owned}`, but both are in the same object: share that object "
                "itself, or pass a copy of it at one path"
            )


def missing_error(first: str = "another place", later: str = "an object") -> ValueError:
    """Return the error for a later place without the first one."""
    return ValueError(
        f"{later} and {first} are the same object. Its gradient and axis belong to {first}, "
        "but that is not in the result: add it to `argnums`, or pass different objects"
    )
