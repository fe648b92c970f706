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

import cmath
import dataclasses
import enum
import functools
import math
import operator
import types
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeAlias

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from .constants import constant_tag, freeze, is_frozen
from .dtypes import canonical, is_kind, is_plain
from .messages import Owner, mismatch
from .references import is_found, refusal

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
    kind = type(value)
    if kind in _ATOMS:
        return value, (kind, value)
    convert = _BY_TYPE.get(kind)
    if convert is None:
        convert = _by_protocol(kind)
    return convert(value, owner, path)


def float_tag(value: float | None) -> Hashable:
    """Return the tag of a canonical float (or None) in a field of that type."""
    return value or repr(value)


def complex_tag(value: complex | None) -> Hashable:
    """Return the tag of a canonical complex number (or None), likewise."""
    return value if value and value.real and value.imag else repr(value)


def canonical_complex(value: complex) -> complex:
    """Return a complex number with the one NaN in place of any other."""
    if not cmath.isnan(value):
        return value
    real = math.nan if math.isnan(value.real) else value.real
    imag = math.nan if math.isnan(value.imag) else value.imag
    return complex(real, imag)


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
    items, tags = _items(value, owner, path)
    return items, (tuple, *tags)


def _named_tuple(value: Any, owner: Owner, path: str) -> Tagged:
    items, tags = _items(value, owner, path)
    return type(value)._make(items), (id(type(value)), *tags)


def _items(
    value: tuple[Any, ...], owner: Owner, path: str
) -> tuple[tuple[Any, ...], tuple[Hashable, ...]]:
    pairs = [
        as_static(item, owner, f"{path}[{index}]") for index, item in enumerate(value)
    ]
    return tuple(item for item, _ in pairs), tuple(tag for _, tag in pairs)


def _frozenset(value: frozenset[Any], owner: Owner, path: str) -> Tagged:
    pairs = [as_static(item, owner, f"{path}{{...}}") for item in value]
    tags = frozenset(tag for _, tag in pairs)
    return frozenset(item for item, _ in pairs), (frozenset, tags)


def _constant(value: np.ndarray[Any, Any], owner: Owner, path: str) -> Tagged:
    if not is_plain(value.dtype):
        raise mismatch(value, owner, path, "an array of numbers, bools or strings")
    value = freeze(value)
    return value, (np.ndarray, constant_tag(value))


def _numpy_scalar(value: Any, owner: Owner, path: str) -> Tagged:
    dtype: np.dtype[Any] = value.dtype
    if type(value) is not dtype.type or dtype.hasobject or dtype.type is np.void:
        raise mismatch(value, owner, path, _EXPECTED)
    inexact = is_kind(dtype, np.inexact)
    if inexact and bool(operator.ne(value, value)):
        number = canonical_complex(complex(value))
        value = dtype.type(number if dtype.kind == "c" else math.nan)
    # A long double has padding, whose bytes are left to chance.
    content = value.tobytes() if is_plain(dtype) else repr(value)
    return value, (np.generic, dtype.name, content)


def _dtype(value: np.dtype[Any], owner: Owner, path: str) -> Tagged:
    if not is_plain(value):
        raise mismatch(value, owner, path, "a dtype of numbers, bools or strings")
    value = canonical(value)
    return value, (np.dtype, value)


def _reference(value: Any, owner: Owner, path: str) -> Tagged:
    if not is_found(value):
        raise refusal(value, owner, path)
    return value, ("reference", id(value))


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
    """Tag a frozen dataclass field by field, for its `==` is that of its fields."""
    tags: list[Hashable] = [id(type(value))]
    for field in dataclasses.fields(value):
        item = getattr(value, field.name)
        where = f"{path}.{field.name}"
        if isinstance(item, np.ndarray) and not is_frozen(item):
            remedy = "its memory is not read-only; use a generated class for it"
            raise mismatch(item, owner, where, _EXPECTED, remedy)
        tags.append(as_static(item, owner, where)[1])
    return value, tuple(tags)


def _foreign(value: Any, owner: Owner, path: str) -> Tagged:
    if callable(value) and is_found(value):
        return _reference(value, owner, path)
    try:
        hash(value)
    except TypeError as error:
        raise mismatch(value, owner, path, _EXPECTED) from error
    return value, (id(type(value)), value)


def _mutable(value: Any, owner: Owner, path: str) -> Tagged:
    raise mismatch(value, owner, path, _EXPECTED)


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
    if _is_named_tuple(kind):
        return _named_tuple
    if issubclass(kind, _BUILTINS):
        return _mutable if kind in _BUILTINS else _subclass
    if dataclasses.is_dataclass(kind):
        return _dataclass if _is_frozen_dataclass(kind) else _mutable
    return _by_equality(kind)


def _by_equality(kind: type[Any]) -> Callable[[Any, Owner, str], Tagged]:
    equality, hashing = getattr(kind, "__eq__", None), getattr(kind, "__hash__", None)
    if hashing is None:
        return _mutable
    if equality is object.__eq__ or hashing is object.__hash__:
        return _by_identity
    return _foreign


def _is_named_tuple(kind: type[Any]) -> bool:
    """Tell whether a type is a named tuple whose items are all that it holds."""
    return (
        issubclass(kind, tuple)
        and hasattr(kind, "_fields")
        and hasattr(kind, "_make")
        and kind.__dictoffset__ == 0
        and kind.__eq__ is tuple.__eq__
        and kind.__hash__ is tuple.__hash__
    )


def _is_frozen_dataclass(kind: type[Any]) -> bool:
    # A Python subclass of a frozen dataclass is not itself one: it may hold more.
    return "__dataclass_fields__" in vars(kind) and kind.__dataclass_params__.frozen


_ATOMS: Final[frozenset[type[Any]]] = frozenset({int, bool, str, bytes, type(None)})
_BY_TYPE: Final[dict[type[Any], Callable[[Any, Owner, str], Tagged]]] = {
    float: _float,
    complex: _complex,
    range: _range,
    tuple: _tuple,
    frozenset: _frozenset,
    np.ndarray: _constant,
    type: _reference,
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
)
