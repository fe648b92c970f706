# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Exact tags: what may be static, as a hashable value whose `==` is exact.

    as_static(1, Box, "value")          # (1, (int, 1))
    as_static(True, Box, "value")       # (True, (bool, True))
    as_static((1, 0.0), Box, "value")   # ((1, 0.0), (tuple, (int, 1), (float, '0.0')))
    as_static([1], Box, "value")        # TypeError: ... use a tuple

Python's own `==` is not exact: `1 == True == 1.0`, `0.0 == -0.0`, and a NaN is not even
itself. So a value whose type the schema does not fix is tagged with its type. A tag
may refer to an object by `id()`, as the key that has the tag keeps the value.

`as_static` returns the canonical value too: with the one NaN of its type, constant
arrays copied into read-only memory, dtypes in their native form.
"""

import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import math
import pathlib
import types
import typing
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar, TypeVarTuple

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from ..converters import is_named_tuple, is_plain, not_found
from ..keys.conversion import canonical_complex
from ..keys.messages import Owner, mismatch
from ..keys.names import canonical, is_found, is_kind
from .advice import ANY, instead
from .constants import constant_tag, freeze, is_frozen
from .views import attributes, holds_arrays, rebuilt

Tagged: TypeAlias = tuple[Any, Hashable]

_FUNCTIONS: Final = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    functools.partial,
)
_BUILTINS: Final = (
    *(int, float, complex, str, bytes, tuple, frozenset),
    *(list, dict, set, bytearray, memoryview, slice, types.MappingProxyType),
)
_EXPECTED: Final = "an immutable value that is compared by value"


def as_static(value: Any, owner: Owner, path: str) -> Tagged:
    """Return the canonical form of a static value of any type, and its exact tag."""
    try:
        return _tagged(value, owner, path)
    except RecursionError:
        remedy = "it is nested too deeply, or holds itself"
    raise mismatch(value, owner, path, _EXPECTED, remedy)


def _tagged(value: Any, owner: Owner, path: str) -> Tagged:
    kind = type(value)
    if kind is int or kind is str or kind is bool:
        return value, (kind, value)
    # By identity, since a metaclass may define an `==` of classes.
    convert = _BY_TYPE.get(id(kind))
    if convert is None:
        convert = _by_protocol(kind)
    return convert(value, owner, path)


def set_content(
    pairs: Iterable[Tagged], given: frozenset[Any]
) -> tuple[frozenset[Any], Hashable]:
    """Return a frozenset of canonical items, and the tag of its content.

    A set may hold several NaNs, and their canonical form would make them one: it
    stays as it is then. The tag says how many items have each item's tag.
    """
    items, tags = zip(*pairs, strict=True) if given else ((), ())
    content = frozenset(items)
    counts = frozenset(collections.Counter(tags).items())
    return content if len(content) == len(given) else given, counts


def _atom(value: Any, owner: Owner, path: str) -> Tagged:
    return value, (type(value), value)


def _float(value: float, owner: Owner, path: str) -> Tagged:
    value = math.nan if math.isnan(value) else value
    return value, (float, repr(value))


def _complex(value: complex, owner: Owner, path: str) -> Tagged:
    value = canonical_complex(value)
    return value, (complex, repr(value))


def _range(value: range, owner: Owner, path: str) -> Tagged:
    numbers = (int(value.start), int(value.stop), int(value.step))
    return range(*numbers), (range, *numbers)


def _tuple(value: tuple[Any, ...], owner: Owner, path: str) -> Tagged:
    pairs = [
        _tagged(item, owner, f"{path}[{index}]") for index, item in enumerate(value)
    ]
    return tuple(item for item, _ in pairs), (tuple, *(tag for _, tag in pairs))


def _named_tuple(value: Any, owner: Owner, path: str) -> Tagged:
    items, tag = _tuple(tuple(value), owner, path)
    return type(value)._make(items), (id(type(value)), tag)


def _frozenset(value: frozenset[Any], owner: Owner, path: str) -> Tagged:
    where = f"{path}{{...}}"
    content, tag = set_content((_tagged(item, owner, where) for item in value), value)
    return content, (frozenset, tag)


def _constant(value: np.ndarray[Any, Any], owner: Owner, path: str) -> Tagged:
    if not is_plain(value.dtype):
        raise mismatch(value, owner, path, "an array of numbers, bools or strings")
    value = freeze(value)
    return value, (np.ndarray, constant_tag(value))


def _numpy_scalar(value: Any, owner: Owner, path: str) -> Tagged:
    dtype: np.dtype[Any] = value.dtype
    if type(value) is not dtype.type or dtype.hasobject or dtype.type is np.void:
        raise mismatch(value, owner, path, _EXPECTED)
    if is_kind(dtype, np.inexact):
        value = _with_one_nan(value)
    # A long double has padding, whose bytes are left to chance.
    content = value.tobytes() if is_plain(dtype) else repr(value)
    return value, (np.generic, dtype.name, content)


def _with_one_nan(value: Any) -> Any:
    """Return a NumPy scalar with the one NaN of its type in place of any other."""
    array: Any = np.array(value)
    for part in (array.real, array.imag) if array.dtype.kind == "c" else (array,):
        part[np.isnan(part)] = math.nan
    return array[()]


def _dtype(value: np.dtype[Any], owner: Owner, path: str) -> Tagged:
    if not is_plain(value):
        raise mismatch(value, owner, path, "a dtype of numbers, bools or strings")
    value = canonical(value)
    # NumPy's `==` is True for datetime64 of [s] and of [1000ms].
    return value, (np.dtype, value, value.str)


def _reference(value: Any, owner: Owner, path: str) -> Tagged:
    if not is_found(value):
        raise not_found(value, owner, path)
    return value, ("reference", id(value))


def _alias(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag a type made of types: Python's `==` of unions ignores their order."""
    parts = (
        getattr(value, "__origin__", None),
        getattr(value, "__metadata__", ()),
        getattr(value, "__unpacked__", False),
        *value.__args__,
    )
    return value, (id(type(value)), _tuple(parts, owner, path)[1])


def _enum_member(value: enum.Enum, owner: Owner, path: str) -> Tagged:
    return value, (id(type(value)), id(value))


def _generated(value: Any, owner: Owner, path: str) -> Tagged:
    record = type(value).__codegen_record__
    if record.cls is not type(value) or record.data_fields:
        remedy = "it holds arrays: make the field dynamic"
        raise mismatch(value, owner, path, _EXPECTED, remedy)
    return value, ("generated", value.__codegen_key__)


def _frozendict(value: Any, owner: Owner, path: str) -> Tagged:
    return value, (id(type(value)), value.__codegen_tag__)


def _dataclass(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag a frozen dataclass by all that it holds; its own `==` may leave out fields."""
    kind = type(value)
    items: dict[str, Any] = {}
    tags: list[Hashable] = [id(kind)]
    for name, item in attributes(value):
        where = f"{path}.{name}"
        _require_frozen(item, owner, where)
        items[name], tag = _tagged(item, owner, where)
        tags.append((name, tag))
    held = any(map(holds_arrays, items.values()))
    return rebuilt(kind, items) if held else value, tuple(tags)


def _require_frozen(value: Any, owner: Owner, path: str) -> None:
    """Refuse arrays that somebody may write to, where they are not copied."""
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            _require_frozen(item, owner, f"{path}[{index}]")
    elif isinstance(value, np.ndarray) and not is_frozen(value):
        remedy = "its memory is not read-only; use a generated class for it"
        raise mismatch(value, owner, path, _EXPECTED, remedy)


def _written(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag what equals others that are written otherwise: 1.0 and 1.00, 0h and 1h+1."""
    zone: Any = getattr(value, "tzinfo", None)
    zone_tag = None if zone is None else _foreign(zone, owner, f"{path}.tzinfo")[1]
    return value, (id(type(value)), repr(value), zone_tag)


def _treedef(value: Any, owner: Owner, path: str) -> Tagged:
    """Tag a PyTreeDef node by node: JAX's own `==` of them may ignore the class."""
    node: tuple[type[Any], Any] | None = value.node_data()
    if node is None:
        return value, (jax.tree_util.PyTreeDef,)
    kind, rest = node
    # The keys of a dict are a list, which nobody else has.
    rest, rest_tag = _tagged(tuple(rest) if kind is dict else rest, owner, path)
    if holds_arrays(rest):
        raise mismatch(value, owner, path, _EXPECTED, "it has arrays as metadata")
    children = [_treedef(child, owner, path)[1] for child in value.children()]
    return value, (jax.tree_util.PyTreeDef, id(kind), rest_tag, *children)


def _foreign(value: Any, owner: Owner, path: str) -> Tagged:
    if callable(value) and is_found(value):
        return _reference(value, owner, path)
    try:
        hash(value)
    except TypeError:
        return _mutable(value, owner, path)
    return value, (id(type(value)), value)


def _mutable(value: Any, owner: Owner, path: str) -> Tagged:
    raise mismatch(value, owner, path, _EXPECTED, instead(value, owner, ANY))


def _by_identity(value: Any, owner: Owner, path: str) -> Tagged:
    if callable(value):
        return _reference(value, owner, path)
    remedy = f"give `{type(value).__qualname__}` an exact `__eq__` and `__hash__`"
    raise mismatch(value, owner, path, _EXPECTED, remedy)


def _subclass(value: Any, owner: Owner, path: str) -> Tagged:
    remedy = f"`{type(value).__qualname__}` is a subclass of a builtin type"
    raise mismatch(value, owner, path, _EXPECTED, remedy)


def _by_protocol(kind: type[Any]) -> Callable[[Any, Owner, str], Tagged]:
    """Choose how values of a type are tagged, where it is not one of the builtins."""
    if hasattr(kind, "__codegen_record__"):
        return _generated
    if hasattr(kind, "__codegen_tag__"):
        return _frozendict if "__codegen_tag__" in vars(kind) else _subclass
    for parent, convert in _BY_PARENT:
        if issubclass(kind, parent):
            return convert
    if is_named_tuple(kind):
        return _named_tuple
    if issubclass(kind, _BUILTINS):
        return _mutable if kind in _BUILTINS else _subclass
    if dataclasses.is_dataclass(kind):
        # A Python subclass of a frozen dataclass is not itself one: it may hold more.
        own: Any = vars(kind).get("__dataclass_params__")
        return _dataclass if own is not None and own.frozen else _mutable
    equality, hashing = getattr(kind, "__eq__", None), getattr(kind, "__hash__", None)
    if hashing is None:
        return _mutable
    if equality is object.__eq__ or hashing is object.__hash__:
        return _by_identity
    return _foreign


# Types made of types, as `int | str`, `list[int]` and those of `typing`.
_ALIASES: Any = (types.UnionType, types.GenericAlias, type(typing.List[int]))  # noqa: UP006
_WRITTEN: Final = (
    *(decimal.Decimal, datetime.datetime, datetime.time, datetime.timezone),
    *(pathlib.PureWindowsPath, pathlib.WindowsPath),
)
_BY_TYPE: Final[dict[int, Callable[[Any, Owner, str], Tagged]]] = {
    id(bytes): _atom,
    id(type(None)): _atom,
    id(type(...)): _atom,
    id(TypeVar): _reference,
    id(ParamSpec): _reference,
    id(TypeVarTuple): _reference,
    id(float): _float,
    id(complex): _complex,
    id(range): _range,
    id(tuple): _tuple,
    id(frozenset): _frozenset,
    id(np.ndarray): _constant,
    id(type): _reference,
    id(jax.tree_util.PyTreeDef): _treedef,
    **dict.fromkeys(map(id, _WRITTEN), _written),
}
_BY_PARENT: Final[
    tuple[tuple[type[Any] | tuple[type[Any], ...], Callable[..., Tagged]], ...]
] = (
    ((Tracer, jax.Array, np.ndarray), _mutable),
    # Meshes and partition specs are interned by JAX, and so compared by identity.
    ((Mesh, AbstractMesh, PartitionSpec, Sharding), _foreign),
    (enum.Enum, _enum_member),
    (np.generic, _numpy_scalar),
    (np.dtype, _dtype),
    ((type, *_FUNCTIONS), _reference),
    (_ALIASES, _alias),
    ((decimal.Decimal, datetime.datetime, datetime.time), _subclass),
)
