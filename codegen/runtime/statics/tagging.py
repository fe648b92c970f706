"""Static values of every type, converted to a canonical form and an exact, hashable
tag.

    as_static(1, Box, "value")          # (1, (int, 1))
    as_static(True, Box, "value")       # (True, (bool, True))
    as_static((1, 0.0), Box, "value")   # ((1, 0.0), (tuple, ((int, 1), (float, '0.0'))))
    as_static([1], Box, "value")        # TypeError: ... use a tuple

Python's own `==` is not exact: `1 == True == 1.0`, `0.0 == -0.0`, and a NaN does not
equal itself. So a value without a fixed type in the schema is tagged with its type, or
by the `id()` of an object that the key keeps alive.
"""

import contextlib
import dataclasses
import datetime
import decimal
import enum
import math
import pathlib
import types
import typing
from typing import Any, Final, ParamSpec, TypeVar, TypeVarTuple

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from ..converters import as_found, is_plain, original
from ..frozen_dicts import frozendict
from ..keys.messages import Owner, mismatch
from ..keys.names import Generated, canonical, is_found, is_kind
from . import composites
from .composites import Converter, Tagged, ToTagged, advise_conversion
from .views import (
    attributes,
    fresh,
    is_frozen,
    is_named_tuple,
    rebuild_dataclass,
)

_EXPECTED: Final = "an immutable value that is compared by value"


def as_static(value: object, owner: Owner, path: str) -> Tagged:
    """Return the canonical form of a static value of any type, and its exact tag."""
    try:
        return _tag(value, owner, path)
    except RecursionError:
        remedy = "the value is nested too deeply, or contains itself"
    raise mismatch(value, owner, path, _EXPECTED, remedy)


def _tag(value: object, owner: Owner, path: str) -> Tagged:
    kind = type(value)
    if kind is int or kind is str or kind is bool:
        return value, (kind, value)
    # By identity, since a metaclass may define an `==` of classes.
    converter = _CONVERTERS.get(id(kind))
    if converter is not None:
        value, tag = converter.convert(value, owner, path)
        return value, (kind, tag)
    return _BY_TYPE.get(id(kind), _tag_by_protocol)(value, owner, path)


def _tag_by_protocol(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag a value of a foreign type, or of a group of types."""
    kind: Any = type(value)
    if issubclass(kind, Generated):
        return composites.instance(kind).convert(value, owner, path)
    if kind is frozendict:
        return value, (id(kind), value.__codegen_tag__)
    for parent, convert in _BY_PARENT:
        if issubclass(kind, parent):
            return convert(value, owner, path)
    if is_named_tuple(kind):
        items, tag = _ITEMS.convert(tuple(value), owner, path)
        return kind._make(items), (id(kind), tag)
    remedy = advise_conversion(value, "Any")
    if issubclass(kind, _REFUSED):
        base = next((one for one in kind.__mro__ if one in _REFUSED), kind).__name__
        plain = f"`{kind.__qualname__}` inherits from `{base}`: pass a plain `{base}`"
        remedy = remedy or plain
    elif dataclasses.is_dataclass(kind):
        # A Python subclass of a frozen dataclass is not itself a frozen dataclass: it
        # may have more attributes.
        its: Any = getattr(kind, "__dataclass_params__", None)
        if "__dataclass_params__" in vars(kind) and its.frozen:
            return _tag_dataclass(value, owner, path)
    elif kind.__eq__ is not object.__eq__ and kind.__hash__ not in _BY_IDENTITY:
        return _tag_foreign(value, owner, path)
    elif callable(value):
        return _tag_reference(value, owner, path)
    else:
        remedy = f"define an exact `__eq__` and `__hash__` in `{kind.__qualname__}`"
    raise mismatch(value, owner, path, _EXPECTED, remedy)


def _tag_range(value: range, owner: Owner, path: str) -> Tagged:
    numbers = (int(value.start), int(value.stop), int(value.step))
    return range(*numbers), (range, *numbers)


def _tag_numpy_scalar(value: Any, owner: Owner, path: str) -> Tagged:
    dtype: np.dtype[Any] = value.dtype
    if type(value) is not dtype.type or dtype.hasobject or dtype.type is np.void:
        raise mismatch(value, owner, path, _EXPECTED)
    if is_kind(dtype, np.inexact):
        # The one NaN of its type replaces any other.
        array: Any = np.array(value)
        for part in (array.real, array.imag) if dtype.kind == "c" else (array,):
            part[np.isnan(part)] = math.nan
        value = array[()]
    # A long double has padding bytes with arbitrary content.
    content = value.tobytes() if is_plain(dtype) else repr(value)
    return value, (np.generic, dtype.name, content)


def _tag_dtype(value: np.dtype[Any], owner: Owner, path: str) -> Tagged:
    if not is_plain(value):
        raise mismatch(value, owner, path, "a dtype of numbers, bools or strings")
    value = canonical(value)
    # NumPy's `==` is True for datetime64 of [s] and of [1000ms].
    return value, (np.dtype, value, value.str)


def _tag_identity(value: object, owner: Owner, path: str) -> Tagged:
    return value, (id(type(value)), id(value))


def _tag_reference(value: object, owner: Owner, path: str) -> Tagged:
    value = as_found(value, owner, path)
    return value, ("reference", id(value))


def _tag_alias(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag a type that consists of types: Python's `==` of unions ignores their order."""
    parts = (
        getattr(value, "__origin__", None),
        getattr(value, "__metadata__", ()),
        getattr(value, "__unpacked__", False),
        *value.__args__,
    )
    return value, (id(type(value)), _ITEMS.convert(parts, owner, path)[1])


def _tag_dataclass(value: object, owner: Owner, path: str) -> Tagged:
    """Tag a frozen dataclass by its whole content; its own `==` may ignore fields."""
    kind = type(value)
    items: dict[str, Any] = {}
    tags: list[Any] = [id(kind)]
    for name, item in attributes(value):
        where = f"{path}.{name}"
        _require_frozen(item, owner, where)
        items[name], tag = _tag(item, owner, where)
        tags.append((name, tag))
    held = any(fresh(item) is not item for item in items.values())
    return rebuild_dataclass(kind, items) if held else value, tuple(tags)


def _require_frozen(value: object, owner: Owner, path: str) -> None:
    """Refuse writable arrays, since the key keeps the object that contains them."""
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            _require_frozen(item, owner, f"{path}[{index}]")
    elif isinstance(value, np.ndarray) and not is_frozen(value):
        remedy = "the memory of the value is not read-only: use a generated class"
        raise mismatch(value, owner, path, _EXPECTED, remedy)


def _tag_text(value: object, owner: Owner, path: str) -> Tagged:
    """Tag a value by its text, since `==` treats different texts as equal: 1.0 and
    1.00, 0h and 1h+1.
    """
    zone: object = getattr(value, "tzinfo", None)
    zone_tag = None if zone is None else _tag_foreign(zone, owner, f"{path}.tzinfo")[1]
    return value, (id(type(value)), repr(value), zone_tag)


def _tag_treedef(value: object, owner: Owner, path: str) -> Tagged:
    """Tag a PyTreeDef node by node: JAX's own `==` of treedefs may ignore the class."""
    from ..treedefs import Structure, is_mutable

    with contextlib.suppress(TypeError):
        if not is_mutable(value):
            return value, (jax.tree_util.PyTreeDef, Structure(value).tag)
    raise mismatch(value, owner, path, _EXPECTED)


def _tag_foreign(value: object, owner: Owner, path: str) -> Tagged:
    if callable(value) and is_found(original(value)):
        return _tag_reference(value, owner, path)
    try:
        hash(value)
    except TypeError:
        remedy = advise_conversion(value, "Any")
        raise mismatch(value, owner, path, _EXPECTED, remedy) from None
    return value, (id(type(value)), value)


METHODS: Final = types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType
_ITEM: Final = Converter("Any", _tag)
_ITEMS: Final = composites.repeated(_ITEM)
_CONVERTERS: Final[dict[int, Converter]] = {
    id(bytes): composites.SCALARS[bytes],
    id(float): composites.SCALARS[float],
    id(complex): composites.SCALARS[complex],
    id(tuple): _ITEMS,
    id(frozenset): composites.frozenset_of(_ITEM),
    id(np.ndarray): composites.constant("Shaped"),
}
_WRITTEN: Final = (
    *(decimal.Decimal, datetime.datetime, datetime.time, datetime.timezone),
    pathlib.PureWindowsPath,
)
# `TypeAliasType` is the type of `X` in `type X = int`, since Python 3.12.
_REFERENCES: Final[tuple[Any, ...]] = (
    *(type, TypeVar, ParamSpec, TypeVarTuple),
    getattr(typing, "TypeAliasType", type),
)
_BY_TYPE: Final[dict[int, ToTagged]] = {
    **dict.fromkeys(map(id, (type(None), type(...))), _tag_identity),
    **dict.fromkeys(map(id, _REFERENCES), _tag_reference),
    **dict.fromkeys(map(id, _WRITTEN), _tag_text),
    id(range): _tag_range,
    id(jax.tree_util.PyTreeDef): _tag_treedef,
}
_BY_PARENT: Final[tuple[tuple[tuple[Any, ...], ToTagged], ...]] = (
    # JAX interns meshes and partition specs, so they are compared by identity.
    ((Mesh, AbstractMesh, PartitionSpec, Sharding), _tag_foreign),
    ((enum.Enum,), _tag_identity),
    ((np.generic,), _tag_numpy_scalar),
    ((np.dtype,), _tag_dtype),
    # The `==` of methods uses that of the objects to which they are bound.
    ((type, *METHODS), _tag_reference),
    # Types that consist of types, such as `int | str`, `list[int]` and those of
    # `typing`.
    ((types.UnionType, types.GenericAlias, type(typing.List[int])), _tag_alias),  # noqa: UP006
)
_BY_IDENTITY: Final = (None, object.__hash__)
# These cannot be keys, nor can objects of a derived class.
_REFUSED: Final = (
    *(int, float, complex, str, bytes, tuple, frozenset),
    *(list, dict, set, bytearray, memoryview, slice, types.MappingProxyType),
    *(decimal.Decimal, datetime.datetime, datetime.time),
    *(Tracer, jax.Array, np.ndarray),
)
