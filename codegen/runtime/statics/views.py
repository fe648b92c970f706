"""Protected constant arrays: NumPy allows any code to set an array's shape and dtype.

one, other = Table(data), Table(data)       # one key, and one memory, a `bytes`
one.data.shape = (4,)                       # nothing to the other, nor to the key
"""

import dataclasses
import functools
import operator
import pkgutil
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ..keys.names import Generated, current, is_found, is_generated, module_and_name

# By identity, since a metaclass may define an `==` of classes.
_ATOMS: Final = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None))))


def fresh(value: Any) -> Any:
    """Return a canonical static value with new array views; a value without arrays
    itself.
    """
    kind: type[Any] = type(value)
    if id(kind) in _ATOMS:
        return value
    if kind is np.ndarray:
        # Any other array was accepted by identity, and is returned as it is.
        is_constant = is_frozen(value)
        return (
            np.ndarray(value.shape, value.dtype, value.base) if is_constant else value
        )
    if isinstance(value, tuple | frozenset) or is_foreign_dataclass(kind):
        return map_items(fresh, value)
    if is_generated(value) and value.__codegen_key__.of_arrays:
        return kind.__codegen_record__.unflatten(value.__codegen_key__, ())
    return value  # A frozendict itself returns views.


def is_frozen(value: np.ndarray[Any, Any]) -> bool:
    """Return whether an array's memory is exactly that of a bytes object, in order."""
    memory: object = value.base
    is_whole = type(memory) is bytes and len(memory) == value.nbytes
    return is_whole and value.flags.c_contiguous and value.dtype.isnative


def is_named_tuple(kind: Any) -> bool:
    """Return whether a type is a named tuple whose items are its only content."""
    return (
        hasattr(kind, "_make")
        and kind.__dictoffset__ == 0
        and kind.__eq__ is tuple.__eq__
        and kind.__hash__ is tuple.__hash__
    )


def map_items(function: Callable[[Any], Any], value: Any) -> object:
    """Apply a function to each item of a static container or foreign dataclass.

    The value itself is returned if no item changes, or if it has no items.
    """
    kind: type[Any] = type(value)
    if isinstance(value, tuple | frozenset):
        items = [*map(function, value)]
        same = all(map(operator.is_, items, value))
        return value if same else getattr(kind, "_make", kind)(items)
    from ..frozen_dicts import frozendict

    is_mapping = kind is frozendict
    if not is_mapping and not is_foreign_dataclass(kind):
        return value
    before = [*(value.items() if is_mapping else attributes(value))]
    now = {name: function(item) for name, item in before}
    if all(now[name] is item for name, item in before):
        return value
    return kind(now) if is_mapping else rebuild_dataclass(kind, now)


def is_foreign_dataclass(kind: type[Any]) -> bool:
    """Return whether a class is a dataclass that no schema declares."""
    return dataclasses.is_dataclass(kind) and not issubclass(kind, Generated)


def rebuild_dataclass(kind: type[Any], items: Mapping[str, Any]) -> object:
    """Create an object of a frozen dataclass from all its attributes, without its
    constructor.
    """
    copy = object.__new__(kind)
    for name, item in items.items():
        object.__setattr__(copy, name, item)
    return copy


def attributes(value: Any) -> list[tuple[str, Any]]:
    """Return the fields of a dataclass, then other attributes that its constructor has
    set.
    """
    names = [field.name for field in dataclasses.fields(value)]
    state: Any = object.__getstate__(value)
    for part in state if type(state) is tuple else (state,):
        for name in sorted((part or {}).keys() - {*names}):
            attribute = getattr(type(value), name, None)
            # Attributes that are computed from the others are left out, also the key of
            # a class that another run time generated.
            is_computed = isinstance(attribute, functools.cached_property)
            if not is_computed and name != "__codegen_key__":
                names.append(name)
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]


def pickled(value: Any) -> object:
    """Return the object to pickle instead of a static value."""
    kind: type[Any] = type(value)
    if kind is tuple or kind is frozenset or is_named_tuple(kind):
        return map_items(pickled, value)
    if kind is np.str_ or kind is np.bytes_:
        # NumPy would drop trailing zeros.
        return PickledAs(kind, value[:])
    if kind is np.ndarray and is_frozen(value):
        # Its memory must be a `bytes` again.
        return PickledAs(np.ndarray, value.shape, value.dtype, value.base)
    if is_foreign_dataclass(kind):
        items = {name: pickled(item) for name, item in attributes(value)}
        if any(items[name] is not item for name, item in attributes(value)):
            return PickledAs(rebuild_dataclass, kind, items)
    return portable(value)


# --- pickling


class PickledAs:
    """Pickled instead of a value that would not be restored as the same value."""

    def __init__(self, make: Callable[..., Any], *arguments: object) -> None:
        self.made = make, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self.made


def portable(value: object) -> object:
    """Return the object to pickle instead of a function, class or plain value."""
    value = current(value)
    plain = isinstance(value, type | types.FunctionType) or not callable(value)
    if plain or not is_found(value):
        return value
    # A `jax.jit` function pickles as the function inside, which cannot be found by
    # name.
    return PickledAs(pkgutil.resolve_name, ":".join(module_and_name(value)))
