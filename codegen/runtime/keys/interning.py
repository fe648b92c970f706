"""Trace keys: one interned object for each exact combination of static values.

    a = Grid(nx=4, ny=4)
    b = Grid(nx=4, ny=4)
    a.__codegen_key__ is b.__codegen_key__      # True: compared by identity

Each generated class has a weak table from tags to keys. A tag is a hashable value whose
`==` is exact. The key contains the class and the canonical values. While a key lives,
everything to which its tag refers by `id()` lives too. When it dies, its table entry is
removed first.
"""

import dataclasses
import functools
import operator
import os
import re
import threading
import weakref
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

import jax

from ..renames import former_names
from ..statics.views import fresh, map_items, pickled
from .conversion import Converted
from .messages import format_line
from .names import Generated, current, is_generated

if TYPE_CHECKING:
    from ..classes.registration import Record

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class TraceKey:
    """A class and its canonical static values; equal only to itself."""

    cls: type[Generated]
    values: tuple[Any, ...]
    # The hash of an object with this key. Reading it here costs half as much as `hash`.
    hashed: int

    # Whether there are constant arrays among the values.
    of_arrays: ClassVar[bool] = False

    def __copy__(self, *_memo: object) -> Self:
        return self

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[Any, ...]:
        return load, load_arguments(self)

    def __repr__(self) -> str:
        names = self.cls.__codegen_record__.meta_fields
        parts = map("{}={}".format, names, map(format_line, self.values))
        return f"{self.cls.__qualname__}({', '.join(parts)})"


class _KeyOfArrays(TraceKey):
    """A key with constant arrays, of which each object gets its own views."""

    __slots__ = ()

    of_arrays = True

    @property
    def values(self) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return tuple(map(fresh, super().values))


class InternedKey(weakref.ref[TraceKey]):
    """A weak reference to a key, and one to the object of a static class that has it."""

    __slots__ = ("object",)

    object: Callable[[], Any]


Table: TypeAlias = dict[Hashable, InternedKey]


def reentrant_lock() -> threading.RLock:
    """Return a lock that cannot deadlock in a signal handler, a garbage collection or a
    fork.

    A signal handler or finaliser may acquire it again in the same thread. No other
    thread holds it while a process forks.
    """
    lock = threading.RLock()
    free = lock.release
    os.register_at_fork(before=lock.acquire, after_in_parent=free, after_in_child=free)
    return lock


# A garbage collection may run `_forget` while this thread holds it.
_lock = reentrant_lock()


def trace_key(cls: type[Any], values: tuple[Any, ...], tag: Hashable) -> TraceKey:
    """Return the only key of a class for a tag.

    Args:
        cls: the class
        values: the canonical static values, for a new key
        tag: a value whose `==` is exact, for example a tuple of the tags of the values
    """
    try:
        key: TraceKey | None = cls.__codegen_record__.table[tag]()
        if key is not None and key.cls is cls:
            return key
    except KeyError:
        pass
    return _new_key(cls, values, tag)


def _new_key(cls: type[Any], values: tuple[Any, ...], tag: Hashable) -> TraceKey:
    record: Record = cls.__codegen_record__
    if record.cls is not cls:
        raise TypeError(
            f"`{cls.__qualname__}` is not registered with JAX: its "
            "`__init_subclass__`, or that of a base, must call "
            "`super().__init_subclass__()`"
        )
    table: Table = record.table
    # Created before the look-up. Its creation may start a garbage collection whose
    # finalisers intern keys, and nothing may come between the look-up and the entry.
    key = TraceKey(cls, values, hash((id(cls), tag)))
    if not all(map(operator.is_, map(fresh, values), values)):
        object.__setattr__(key, "__class__", _KeyOfArrays)
    new = InternedKey(key, functools.partial(_forget, table, tag))
    new.object = _nothing
    with _lock:
        while True:
            entry = table.setdefault(tag, new)
            known = entry()
            if known is not None:
                return known
            # The entry of a key that just died. It is removed, not overwritten:
            # overwriting would keep its old tag, which may refer by `id()` to objects
            # that died with the key.
            _forget(table, tag, entry)


def _nothing() -> None:
    """Return None, as a weak reference to a dead object does."""


def intern(cls: type[Any], values: tuple[Any, ...], tag: Hashable) -> Any:
    """Return an object of a static class: the one that is alive, if there is one."""
    try:
        known = cls.__codegen_record__.table[tag].object()
        if type(known) is cls:
            return known
    except KeyError:
        pass
    key = trace_key(cls, values, tag)
    obj = cls.__codegen_record__.unflatten(key, ())
    # Not an object with arrays of its own, or with a `__dict__`, as a subclass has.
    if not key.of_arrays and not cls.__dictoffset__:
        cls.__codegen_record__.table[tag].object = weakref.ref(obj)
    return obj


def _forget(
    table: Table, tag: Hashable, reference: object, lock: threading.RLock = _lock
) -> None:
    """Remove the entry of a dead key, unless a new key has replaced it.

    Keys also die during interpreter shutdown, when the names of this module are gone.
    """
    with lock:
        try:
            if table.get(tag) is reference:
                del table[tag]
        except TypeError:
            # The tag may have a foreign type, whose hash also needs module names.
            pass


def load_arguments(key: TraceKey) -> tuple[Any, ...]:
    """Return a key's class, the declared types of the children, and the statics by
    name.

    If the module was reloaded, the class is the current one, so that it can be pickled.
    """
    record = key.cls.__codegen_record__
    values = map(pickled, key.values)
    static = dict(zip(record.meta_fields, values, strict=True))
    return current(key.cls), _types(record), static


def _types(record: "Record") -> dict[str, str]:
    fields = record.cls.__dataclass_fields__
    # `check` handles sizes, and a dimension may have another name.
    return {
        name: re.sub(r"'[^']*'", "...", str(fields[name].type))
        for name in record.data_fields
    }


def load(
    cls: type[Any], types: dict[str, str], static: dict[str, Any], children: Any = None
) -> object:
    """Create the object of a pickle, or of `upgrade`, with all checks of its class.

    For the pickle of a treedef, create its key.

    Values are given by name: since then fields may have been reordered, renamed with
    `# codegen: was[...]` or added with a default. `types` are the former declared types
    of the children, which are not checked. A key has no children.
    """
    record = getattr(cls, "__codegen_record__", None)
    named = f"`{cls.__module__}.{cls.__qualname__}`"
    if record is None or record.abstract:
        raise TypeError(f"cannot rebuild an earlier {named}, which is now abstract")
    saved = (*types, *static)
    names = former_names(saved, (*record.data_fields, *record.meta_fields), record.was)
    now = {name: name for name in saved} | {old: name for name, old in names.items()}
    order = [now[name] for name in types]
    former = {now[name]: types.get(name, "static") for name in now}
    declared = {**_types(record), **dict.fromkeys(record.meta_fields, "static")}
    changes = [
        f"`{name}` was {former.get(name, 'not a field')} and is now "
        f"{declared.get(name, 'not a field')}"
        for name in {**former, **declared}
        if former.get(name) != declared.get(name)
        and (name in former or name not in {**record.defaults, **record.factories})
    ]
    if children is None and [order, len(now)] != [[*record.data_fields], len(declared)]:
        changes.append(
            f"the leaves are for {', '.join(former)}, but the fields are now "
            f"{', '.join(declared)}: pickle objects instead of their leaves and treedef"
        )
    if changes:
        raise TypeError(
            f"cannot rebuild an earlier {named}, whose fields have changed: "
            f"{'; '.join(changes)}. Declare a default for a new field, and write "
            "`# codegen: was[...]` after a renamed field"
        )
    values: dict[str, Any] = dict(zip(order, children or (), strict=False))
    for name, value in static.items():
        is_old = len(now) < len(declared) and now[name] in record.converted
        values[now[name]] = Converted(value) if is_old else value
    if len(now) < len(declared):
        return record.create(**values)
    key = record.key(cls, [values[name] for name in record.meta_fields])
    if children is None:
        return key
    return record.unflatten(key, tuple([values[name] for name in record.data_fields]))


def upgrade(tree: T) -> T:
    """Rebuild the objects of reloaded classes as objects of the current classes.

    This is what a pickle does: fields are found by name, or by a former name that
    `# codegen: was[...]` declares, and new fields get their defaults. Other values, and
    objects that contain nothing from before the reload, are returned as they are.

    Args:
        tree: any pytree, for example a model or the state of an optimizer

    Raises:
        TypeError: the fields of a class have changed in another way
    """
    # An object that several fields share is one object again. The memo keeps the
    # earlier objects, so that no other object gets their `id`.
    memo: dict[int, tuple[Any, Any]] = {}

    def rebuilt(value: object) -> object:
        if not is_generated(value):
            return value
        if id(value) not in memo:
            memo[id(value)] = value, _upgraded(value, children, static)
        return memo[id(value)][1]

    def children(value: object) -> Any:
        leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_generated)
        new = [*map(rebuilt, leaves)]
        same = all(map(operator.is_, new, leaves))
        return value if same else jax.tree_util.tree_unflatten(treedef, new)

    def static(value: object) -> object:
        return current(map_items(static, rebuilt(value)))

    upgraded: T = children(tree)
    return upgraded


def _upgraded(
    value: Generated, children: Callable[[Any], object], static: Callable[[Any], object]
) -> object:
    """Return an object with its parts upgraded; the object itself if all are current."""
    record, key = type(value).__codegen_record__, value.__codegen_key__
    parts = {name: getattr(value, name) for name in record.data_fields}
    parts |= zip(record.meta_fields, key.values, strict=True)
    new = {
        name: (children if name in record.data_fields else static)(part)
        for name, part in parts.items()
    }
    cls = current(type(value))
    if cls is type(value) and all(new[name] is part for name, part in parts.items()):
        return value
    fields = {name: new[name] for name in record.meta_fields}
    return load(cls, _types(record), fields, [new[n] for n in record.data_fields])
