"""Trace keys: one interned object for each exact combination of static values.

    a = Grid(nx=4, ny=4)
    b = Grid(nx=4, ny=4)
    a.__codegen_key__ is b.__codegen_key__      # True: compared by identity

Each generated class has a weak table from tags to keys. A tag is a hashable value whose
`==` is exact (`tags.py`); the key holds the class and the canonical values. While a key
lives, so does all that its tag refers to by `id()`; when it dies, its entry goes first.
"""

import dataclasses
import weakref
from collections.abc import Hashable
from typing import Any, ClassVar, Self, TypeAlias

from .locks import reentrant_lock
from .pickling import reduced_key
from .reprs import flat
from .views import Maker, maker


@dataclasses.dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class TraceKey:
    """A class and its canonical static values; equal only to itself."""

    cls: type[Any]
    values: tuple[Any, ...]
    # Of an object with this key. Read from here, it costs half of what `hash` does.
    hashed: int

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


class _KeyOfArrays(TraceKey):
    """A key with constant arrays, of which each object gets views of its own."""

    __slots__ = ("parts",)

    of_arrays = True
    # Each value, and what makes it anew.
    parts: tuple[tuple[Any, Maker], ...]

    def __init__(
        self, cls: type[Any], parts: tuple[tuple[Any, Maker], ...], hashed: int
    ) -> None:
        for name, item in (("cls", cls), ("hashed", hashed), ("parts", parts)):
            object.__setattr__(self, name, item)

    @property
    def values(  # pyright: ignore[reportIncompatibleVariableOverride]
        self,
    ) -> tuple[Any, ...]:
        return tuple([value if make is None else make() for value, make in self.parts])


class Reference(weakref.ref[TraceKey]):
    """A weak reference to a key that knows its entry."""

    __slots__ = ("table", "tag")

    table: "Table"
    tag: Hashable


Table: TypeAlias = dict[Hashable, Reference]

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
    key = _make_key(cls, values, hash((id(cls), tag)))
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


def _make_key(cls: type[Any], values: tuple[Any, ...], hashed: int) -> TraceKey:
    parts = tuple([(value, maker(value)) for value in values])
    if all(make is None for _, make in parts):
        return TraceKey(cls, values, hashed)
    return _KeyOfArrays(cls, parts, hashed)


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
