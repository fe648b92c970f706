# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Constant arrays out of reach: each holder has views of its own.

    one, other = Table(data), Table(data)       # one key, and one memory
    one.data.shape = (4,)                       # nothing to the other, nor to the key

The memory of a constant is a `bytes`, but NumPy lets anybody set an array's shape and dtype.
So what a key or an entry keeps is never given away, but what `maker` returns makes another.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from ..converters import Made, portable
from ..keys.interning import TraceKey

# What makes a value with views of its own; None: there are no arrays, it will do itself.
Maker: TypeAlias = Callable[[], Any] | None

# By identity, since a metaclass may define an `==` of classes.
_ATOMS: Final = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None))))


def maker(value: Any) -> Maker:
    """Return what makes a canonical static value whose arrays nobody else has.

    A frozendict gives away views itself.
    """
    kind: Any = type(value)
    if id(kind) in _ATOMS:
        return None
    if kind is np.ndarray:
        make: Any = np.ndarray
        return functools.partial(make, value.shape, value.dtype, value.base)
    if isinstance(value, tuple | frozenset):
        return _maker_of(value, getattr(kind, "_make", kind))
    if is_foreign_dataclass(kind):
        items = dict(attributes(value))
        return _maker_of(
            items.values(),
            lambda made: rebuilt(kind, dict(zip(items, made, strict=True))),
        )
    if hasattr(kind, "__codegen_record__") and value.__codegen_key__.of_arrays:
        unflatten = kind.__codegen_record__.unflatten
        return functools.partial(unflatten, value.__codegen_key__, ())
    return None


def _maker_of(items: Iterable[Any], make: Callable[[list[Any]], Any]) -> Maker:
    makers = [(item, maker(item)) for item in items]
    if all(each is None for _, each in makers):
        return None
    return lambda: make([item if each is None else each() for item, each in makers])


def holds_arrays(value: Any) -> bool:
    """Tell whether a canonical static value has arrays that whoever has it can set."""
    return maker(value) is not None


def fresh(value: Any) -> Any:
    """Return a canonical static value whose arrays nobody else has."""
    make = maker(value)
    return value if make is None else make()


def is_foreign_dataclass(kind: type[Any]) -> bool:
    """Tell whether a class is a dataclass that no schema declares."""
    return dataclasses.is_dataclass(kind) and not hasattr(kind, "__codegen_record__")


def rebuilt(kind: type[Any], items: Mapping[str, Any]) -> Any:
    """Make an object of a frozen dataclass of all that it holds, past its constructor."""
    made = object.__new__(kind)
    for name, item in items.items():
        object.__setattr__(made, name, item)
    return made


def attributes(value: Any) -> list[tuple[str, Any]]:
    """Return the fields of a dataclass, then what else its constructor has stored."""
    names = [field.name for field in dataclasses.fields(value)]
    state: Any = object.__getstate__(value)
    for part in state if type(state) is tuple else (state,):
        names += sorted((part or {}).keys() - {*names, *_cached(type(value))})
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]


def _cached(kind: type[Any]) -> list[str]:
    """Return the names that a class computes from the others when they are read."""
    return [
        name
        for parent in kind.__mro__
        for name, item in vars(parent).items()
        if isinstance(item, functools.cached_property)
    ]


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


def make_key(
    plain: type[TraceKey], cls: type[Any], values: tuple[Any, ...], hashed: int
) -> TraceKey:
    """Make a key; of arrays, one that never gives them away."""
    parts = tuple([(value, maker(value)) for value in values])
    if all(make is None for _, make in parts):
        return plain(cls, values, hashed)
    return _KeyOfArrays(cls, parts, hashed)


def pickled(value: Any) -> Any:
    """Return what is to be pickled in place of a static value."""
    kind: Any = type(value)
    if kind is tuple or kind is frozenset or isinstance(value, tuple):
        make = getattr(kind, "_make", kind if kind in (tuple, frozenset) else None)
        if make is not None:
            return make(map(pickled, value))
    if kind is np.str_ or kind is np.bytes_:
        # NumPy would drop the zeros at its end.
        return Made(kind, value[:])
    if is_foreign_dataclass(kind) and holds_arrays(value):
        items = {name: _in_memory(item) for name, item in attributes(value)}
        return Made(rebuilt, kind, items)
    return portable(value)


def _in_memory(value: Any) -> Any:
    """Return what is pickled for an array whose memory has to be a `bytes` again."""
    if type(value) is np.ndarray:
        return Made(np.ndarray, value.shape, value.dtype, value.base)
    if isinstance(value, tuple):
        kind: Any = type(value)
        return getattr(kind, "_make", kind)(map(_in_memory, value))
    return pickled(value)
