"""Convert static values to their declared types, with the tags that enter the trace key.

sizes = tuple_of(int, ...)
sizes.static((1, numpy.int64(2)), Grid, "sizes")   # ((1, 2), (1, 2))
sizes.static((1, True), Grid, "sizes")             # TypeError: `Grid.sizes[1]` ...
"""

import collections
import dataclasses
import enum
import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypeAlias

import jax
import numpy as np

from ..classes.values import NUMBERS, as_number
from ..converters import (
    as_callable,
    as_dtype,
    as_enum,
    as_instance,
    as_literal,
    as_none,
    is_plain,
    remedies,
)
from ..frozen_dicts import distinct, frozendict
from ..keys import conversion
from ..keys.messages import Owner, a_or_an, mismatch
from ..keys.names import canonical, describe_other_class, matches
from .views import is_frozen

# A canonical value and its tag, which is exact among the values of its type; and the
# function that returns both for a value, its owner and its path.
Tagged: TypeAlias = tuple[Any, Hashable]
ToTagged: TypeAlias = Callable[[Any, Owner, str], Tagged]

# The type of the given value, the type to declare for it, and the advice.
_REMEDIES: Final[tuple[tuple[Any, str, str], ...]] = (
    (jax.Array, "array", "declare it dynamic, or convert it with `numpy.asarray(...)`"),
    (np.ndarray, "Any", "declare it dynamic, or declare an array type"),
    (list, "tuple", "use a tuple"),
    (bytearray, "bytes", "use bytes"),
    (set, "frozenset", "use a frozenset"),
    (list, "frozenset", "use a frozenset"),
    (dict, "frozendict", "use a frozendict"),
    (slice, "tuple", "use a tuple of its three numbers"),
    (np.ndarray, "array", "convert it to a plain array with `numpy.array(...)`"),
    ((list, tuple), "array", "convert it with `numpy.array(...)`, with its dtype"),
    ((jax.Array, np.ndarray), "tuple", "convert it with `tuple(array.tolist())`"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Converter:
    """Converts and tags the values of one static type."""

    # Example: "tuple[int, ...]", for error messages.
    name: str
    convert: ToTagged
    # The type of all of its values, if there is one.
    kind: type[Any] | None = None


def instance(cls: type[Any]) -> Converter:
    """Convert objects of a generated static class, or of a subclass."""
    tag = operator.attrgetter("__codegen_key__")
    return _make_converter(cls.__qualname__, cls, as_instance, tag, cls)


def member(kind: type[enum.Enum]) -> Converter:
    """Convert members of an enum."""
    return _make_converter(kind.__qualname__, kind, as_enum, None, kind)


def literal(values: tuple[Any, ...]) -> Converter:
    """Convert one of some values, of exactly its type."""
    name = f"Literal[{', '.join(map(repr, values))}]"
    is_one_type = len({*map(type, values)}) == 1
    tag = None if is_one_type else lambda value: (type(value), value)
    return _make_converter(name, None, as_literal, tag, values)


def foreign(kind: Any) -> Converter:
    """Convert objects of a foreign Python type; a type that is not a class accepts any
    value.
    """
    name = getattr(kind, "__qualname__", repr(kind))
    checked = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)

    def convert(value: object, owner: Owner, path: str) -> Tagged:
        if checked and not isinstance(value, kind):
            remedy = describe_other_class(value, kind)
            raise mismatch(value, owner, path, a_or_an(name), remedy)
        return _as_static(value, owner, path)

    return Converter(name, convert, kind if checked else None)


def _as_static(value: object, owner: Owner, path: str) -> Tagged:
    from .tagging import as_static

    return as_static(value, owner, path)


def advise_conversion(value: object, declared: str) -> str:
    """Advise what to give instead of a value, if it can be converted to the declared
    type.
    """
    for kind, type_name, remedy in _REMEDIES:
        if declared in (type_name, "Any") and isinstance(value, kind):
            return remedy
    return ""


def _make_converter(
    name: str,
    kind: type[Any] | None,
    convert: Callable[..., Any],
    tag: Callable[[Any], Hashable] | None = None,
    *declared: object,
) -> Converter:
    """Return a converter from a function and its arguments besides the value.

    `tag` returns the tag of a converted value; None: it is its own tag.
    """

    def both(value: object, owner: Owner, path: str) -> Tagged:
        value = convert(value, *declared, owner, path)
        return value, value if tag is None else tag(value)

    return Converter(name, both, kind)


# The tags of scalars that Python's `==` does not tell apart.
_SCALAR_TAGS: Final = {float: conversion.float_tag, complex: repr}
SCALARS: Final[dict[type[Any], Converter]] = {
    kind: _make_converter(kind.__name__, kind, convert, _SCALAR_TAGS.get(kind))
    for kind, convert in conversion.SCALARS.items()
}
CALLABLE: Final = _make_converter("Callable", None, as_callable, id)
DTYPE: Final = _make_converter("dtype", None, as_dtype)
NONE: Final = _make_converter("None", type(None), as_none)
ANY: Final = Converter("Any", _as_static)
# Accepts any value. The key keeps the value, so no other object gets its `id`. Other
# members of a union are tried first.
IDENTITY: Final = Converter("identity", lambda value, *_: (value, id(value)))
# Types whose values are canonical, and are their own tags.
_PLAIN: Final = (int, bool, str, bytes)


# --- constant arrays


def constant(dtype: str) -> Converter:
    """Convert constant arrays of a dtype or kind."""
    name = f"{dtype} array"
    return _make_converter(name, np.ndarray, as_constant, constant_tag, dtype)


def as_constant(
    value: object, declared: str, owner: Owner, path: str
) -> np.ndarray[Any, Any]:
    """Copy an array of the declared dtype, or kind, into read-only memory."""
    if type(value) in NUMBERS:
        value = as_number(value, declared, owner, path)
    if isinstance(value, np.generic) and type(value) is value.dtype.type:
        value = np.asarray(value)
    if type(value) is not np.ndarray:
        remedy = advise_conversion(value, "array")
    elif not is_plain(value.dtype):
        remedy = "elements of this dtype cannot be compared by their bytes"
    elif not matches(value.dtype, declared):
        remedy = f"convert it with `numpy.asarray(..., {declared!r})`"
    else:
        dtype = canonical(value.dtype)
        data: Any = value.base
        if not is_frozen(value):
            data = value.astype(dtype, order="C", copy=False).tobytes()
        # Always a new array: its user may change the shape of an array in place.
        return np.ndarray(value.shape, dtype, buffer=data)
    raise mismatch(value, owner, path, f"a constant array of {declared}", remedy)


def constant_tag(value: np.ndarray[Any, Any] | None) -> Hashable:
    """Return the exact tag of a constant array: its dtype, shape and bytes."""
    # Its memory is a bytes object, which caches its hash.
    return None if value is None else (value.dtype.name, value.shape, value.base)


# --- containers and unions


def repeated(item: Converter) -> Converter:
    """Convert `tuple[T, ...]`."""
    plain = item.kind if item.kind in _PLAIN else None
    return _tuple(f"tuple[{item.name}, ...]", lambda value: [item] * len(value), plain)


def fixed(items: Sequence[Converter]) -> Converter:
    """Convert `tuple[A, B]`."""
    names = ", ".join(item.name for item in items) or "()"
    return _tuple(f"tuple[{names}]", lambda _: items)


def _tuple(name: str, items_of: Callable[..., Any], plain: object = None) -> Converter:
    def convert(value: object, owner: Owner, path: str) -> Tagged:
        if plain and type(value) is tuple and {plain}.issuperset(map(type, value)):
            return value, value
        if type(value) is not tuple or len(value) != len(items := items_of(value)):
            raise container_error(value, owner, path, name, "tuple")
        parts = enumerate(zip(items, value, strict=True))
        pairs = [item.convert(p, owner, f"{path}[{i}]") for i, (item, p) in parts]
        converted = tuple([part for part, _ in pairs])
        is_as_given = all(map(operator.is_, converted, value))
        return value if is_as_given else converted, tuple([tag for _, tag in pairs])

    return Converter(name, convert, tuple)


def frozenset_of(item: Converter) -> Converter:
    """Convert `frozenset[T]`; the iteration order is not part of the tag."""
    name = f"frozenset[{item.name}]"

    def convert(value: object, owner: Owner, path: str) -> Tagged:
        if type(value) is not frozenset:
            raise container_error(value, owner, path, name, "frozenset")
        pairs = [item.convert(part, owner, f"{path}{{...}}") for part in value]
        content = frozenset([part for part, _ in pairs])
        # A set may have several NaNs. Their canonical form would merge them, so such a
        # set stays as it is. The tag counts the items with each tag.
        counts = frozenset(collections.Counter(tag for _, tag in pairs).items())
        return content if len(content) == len(value) else value, counts

    return Converter(name, convert, frozenset)


def _optional(option: Converter) -> Converter:
    """Convert `A | None`."""

    def convert(value: object, owner: Owner, path: str) -> Tagged:
        return (None, None) if value is None else option.convert(value, owner, path)

    return Converter(f"{option.name} | None", convert)


def frozendict_of(key: Converter, item: Converter) -> Converter:
    """Convert a `frozendict[K, V]`."""
    name = f"frozendict[{key.name}, {item.name}]"

    def convert(value: object, owner: Owner, path: str) -> Tagged:
        if type(value) is not frozendict:
            raise container_error(value, owner, path, name, "frozendict")
        names = [key.convert(name, owner, f"{path}.keys()")[0] for name in value]
        parts = [
            item.convert(part, owner, f"{path}[{name!r}]")[0]
            for name, part in value.items()
        ]
        content = frozendict(zip(distinct(names, value), parts, strict=True))
        return content, content.__codegen_tag__

    return Converter(name, convert, frozendict)


def union(options: Sequence[Converter]) -> Converter:
    """Convert `A | B | ...` to the exact type of a value, else to the first that
    accepts it.
    """
    if len(options) == 2 and options[1] is NONE:
        return _optional(options[0])
    name = " | ".join(option.name for option in options)

    def convert(value: object, owner: Owner, path: str) -> Tagged:
        converted, tag = first(value, owner, path)
        # The converted value decides, so that converting it again gives the same key.
        return (converted, tag) if converted is value else first(converted, owner, path)

    def first(value: object, owner: Owner, path: str) -> Tagged:
        def rank(pair: tuple[int, Converter]) -> tuple[bool, bool]:
            return pair[1] is IDENTITY, pair[1].kind is not type(value)

        errors: list[Exception] = []
        candidates: list[Tagged] = []
        for index, option in sorted(enumerate(options), key=rank):
            if candidates and option is IDENTITY:
                break
            try:
                converted, tag = option.convert(value, owner, path)
            except (TypeError, ValueError) as error:
                errors.append(error)
            else:
                candidates.append((converted, (index, tag)))
                if converted is value or conversion.is_same(converted, value):
                    return candidates[-1]
        if not candidates:
            raise mismatch(value, owner, path, f"`{name}`", remedies(errors, path))
        return candidates[0]

    return Converter(name, convert)


def container_error(
    value: object, owner: Owner, path: str, name: str, kind: str
) -> TypeError:
    """Return the error for a value that is not a container of a kind, such as "tuple"."""
    return mismatch(value, owner, path, f"a {name}", advise_conversion(value, kind))
