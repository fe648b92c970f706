# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Trace keys: one interned object for each exact combination of static values.

    a = Grid(nx=4, ny=4)
    b = Grid(nx=4, ny=4)
    a.__codegen_key__ is b.__codegen_key__      # True: compared by identity

Each generated class has a weak table from tags to keys. A tag is a hashable value whose
`==` is exact; the key holds the class and the canonical values. While a key lives, so does
all that its tag refers to by `id()`; when it dies, its entry goes first.

Objects and keys are pickled by name: until they are loaded, fields may have been put in
another order, been renamed with `# codegen: was[...]`, or been added with a default.
"""

import dataclasses
import os
import re
import threading
import weakref
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Self, TypeAlias

from .conversion import Converted, statics
from .messages import flat


@dataclasses.dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class TraceKey:
    """A class and its canonical static values; equal only to itself."""

    cls: type[Any]
    values: tuple[Any, ...]
    # Of an object with this key. Read from here, it costs half of what `hash` does.
    hashed: int

    # Whether there are constant arrays among the values.
    of_arrays: ClassVar[bool] = False

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced_key(self)

    def __repr__(self) -> str:
        names: tuple[str, ...] = self.cls.__codegen_record__.meta_fields
        parts = map("{}={}".format, names, map(flat, self.values))
        return f"{self.cls.__qualname__}({', '.join(parts)})"


class Reference(weakref.ref[TraceKey]):
    """A weak reference to a key that knows its entry."""

    __slots__ = ("table", "tag")

    table: "Table"
    tag: Hashable


Table: TypeAlias = dict[Hashable, Reference]


def reentrant_lock() -> threading.RLock:
    """Return a lock that neither a signal, a collection nor a fork turns into a deadlock.

    The thread that holds it may take it again: a handler of a signal, or what a collection
    calls, may need it. No other thread holds it while a process forks, so that the child
    can take it.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire,
            after_in_parent=lock.release,
            after_in_child=lock.release,
        )
    return lock


# A collection may run `_forget` while this thread holds it.
_lock = reentrant_lock()


def intern_key(cls: type[Any], tag: Hashable, values: tuple[Any, ...]) -> TraceKey:
    """Return the key of `cls` for `tag`; make it of `values` where there is none."""
    record: Any = cls.__codegen_record__
    if record.cls is cls:
        reference: Reference | None = record.table.get(tag)
        if reference is not None:
            key = reference()
            if key is not None:
                return key
    return _add_key(cls, tag, values)


def _add_key(cls: type[Any], tag: Hashable, values: tuple[Any, ...]) -> TraceKey:
    record: Any = cls.__codegen_record__
    if record.cls is not cls:
        raise TypeError(
            f"`{cls.__qualname__}` is a Python subclass of the generated class "
            f"`{record.cls.__qualname__}`, so JAX would not know it: declare it in "
            f"the schema, as `class {cls.__name__}({record.cls.__name__})`"
        )
    # Made before the look-up: a collection, which making them may start, may run
    # finalisers that intern, and nothing may come between the look-up and the entry.
    key: TraceKey = statics.make_key(TraceKey, cls, values, hash((id(cls), tag)))
    reference = Reference(key, _forget)
    reference.table = record.table
    reference.tag = tag
    with _lock:
        while True:
            found = reference.table.setdefault(tag, reference)
            known = found()
            if known is not None:
                return known
            # The entry of a key that just died: not assigned to, which would keep its
            # tag, and that may refer by `id()` to what died with the key.
            _forget(found)


def _forget(reference: Any, lock: Any = _lock) -> None:
    """Remove the entry of a dead key, unless a new key has taken its place.

    Keys also die while the interpreter ends, when the names of this module are gone.
    """
    with lock:
        try:
            if reference.table.get(reference.tag) is reference:
                del reference.table[reference.tag]
        except TypeError:
            # The tag may have a foreign type, whose hash needs such names too.
            pass


# --- pickles


def reduced(obj: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of an object: its class, and its fields by role."""
    record = type(obj).__codegen_record__
    data = {name: getattr(obj, name) for name in record.data_fields}
    return load, (record.cls, data, _statics(obj.__codegen_key__), _types(record))


def reduced_key(key: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of a key, as in a treedef."""
    return load_key, (key.cls, _types(key.cls.__codegen_record__), _statics(key))


def _types(record: Any) -> dict[str, str]:
    """Return what the children are declared as: what they are is not checked on load."""
    fields = record.cls.__dataclass_fields__
    # Sizes are left to `check`, and a dimension may have another name.
    return {
        name: re.sub(r"'[^']*'", "...", str(fields[name].type))
        for name in record.data_fields
    }


def _statics(key: Any) -> dict[str, Any]:
    names = key.cls.__codegen_record__.meta_fields
    return dict(zip(names, map(statics.portable, key.values), strict=True))


def load(
    cls: Any,
    data: Mapping[str, Any],
    static: Mapping[str, Any],
    types: Mapping[str, str],
) -> Any:
    """Make the object of a pickle; what its class has got since then is its default.

    Raises:
        TypeError: the class has changed otherwise
    """
    now = _names_now(cls, types, static)
    data = {now[name]: value for name, value in data.items()}
    static = {now[name]: value for name, value in static.items()}
    record = cls.__codegen_record__
    if len(now) < len(record.data_fields) + len(record.meta_fields):
        kept = static.keys() & record.converted.keys()
        return cls(**data, **static | {name: Converted(static[name]) for name in kept})
    key = record.key(cls, *(static[name] for name in record.meta_fields))
    return record.unflatten(key, tuple(data[name] for name in record.data_fields))


def load_key(cls: Any, types: Mapping[str, str], static: Mapping[str, Any]) -> Any:
    """Make the key of a pickle, interned anew, through the checks of its class.

    Raises:
        TypeError: the class has changed, and the children that belong to the key with it
    """
    now = _names_now(cls, types, static)
    record = cls.__codegen_record__
    data_fields = [now[name] for name in types]
    static = {now[name]: value for name, value in static.items()}
    if data_fields != [*record.data_fields] or static.keys() != {*record.meta_fields}:
        raise TypeError(
            f"cannot load a pickled treedef of {_named(cls)}, whose fields have changed: "
            f"the leaves are of {', '.join(now.values())}, and it has now "
            f"{', '.join([*record.data_fields, *record.meta_fields])}; pickle objects in "
            "place of their leaves and treedef"
        )
    return record.key(cls, *(static[name] for name in record.meta_fields))


def _names_now(
    cls: Any, types: Mapping[str, str], static: Mapping[str, Any]
) -> dict[str, str]:
    """Return what the fields of a pickle are called now, by what they were called.

    A field that the pickle does not have may be one of another name in it; and what has
    that name now is another field.

    Raises:
        TypeError: the class cannot take all of them, or lacks something
    """
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.cls is not cls:
        raise TypeError(f"cannot load a pickled {_named(cls)}, which is abstract now")
    then = [*types, *static]
    renamed: dict[str, str] = {}
    for old, new in record.was.items():
        if old in then and new not in (*then, *renamed.values()):
            renamed[old] = new
    now = {name: renamed.get(name, name) for name in then}
    given: dict[str, str | None] = {now[name]: type for name, type in types.items()}
    given |= dict.fromkeys(now[name] for name in static)
    found = _changes(cls, given)
    if found:
        raise TypeError(
            f"cannot load a pickled {_named(cls)}, whose fields have changed: "
            f"{'; '.join(found)}"
        )
    return now


def _changes(cls: Any, given: Mapping[str, str | None]) -> list[str]:
    """Return what of a pickle's fields a class cannot take, and what it lacks.

    Args:
        cls: the class as it is now
        given: what each field was declared as, None for a static one
    """
    record = cls.__codegen_record__
    declared = {**_types(record), **dict.fromkeys(record.meta_fields)}
    found: list[str] = []
    for name, then in given.items():
        now = declared.get(name)
        if name not in declared:
            found.append(
                f"`{name}` is a field of it no more; if it has another name now, write "
                f"`# codegen: was[{name}]` behind it in the schema"
            )
        elif then is None or now is None:
            if then != now:
                roles = ["static" if one is None else "dynamic" for one in (then, now)]
                found.append(f"`{name}` was {roles[0]} and is {roles[1]} now")
        elif then != now:
            found.append(f"`{name}` was declared as {then}, and is as {now} now")
    found += [
        f"`{field.name}` is new, and has no default"
        for field in dataclasses.fields(cls)
        if field.name not in given and field.default is dataclasses.MISSING
    ]
    return found


def _named(cls: Any) -> str:
    return f"`{cls.__module__}.{cls.__qualname__}`"
