"""Convert containers and unions of arrays and objects to their declared types.

layers = tuple_of(array("float32"), ...)
layers.dynamic([1.0], Stack, "layers")      # TypeError: ... use a tuple
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from . import declared as declared_types
from .classes.values import CONVERTED, as_argument, as_array, is_weak
from .converters import Convert, as_part, as_result, as_scalar, remedies
from .declared import (
    CONTAINERS,
    AnyOf,
    Declared,
    Each,
    Foreign,
    Items,
    Later,
    Part,
    Shaped,
    ShapedRef,
    Weak,
    resolved,
)
from .keys.messages import Owner, mistyped
from .keys.names import Generated
from .refs import as_ref

# Sequences of numbers or letters.
_TEXTS: Final = (str, bytes, bytearray, memoryview)
_NUMBERS: Final = {kind.__name__: kind for kind in (int, float, bool, complex)}
Take: TypeAlias = Callable[[Any, Any, Owner, str], Any]


class Leaves(NamedTuple):
    """The converters of values that contain no others, by where the value is."""

    array: Take
    scalar: Take = as_scalar
    part: Take = as_part
    # None: any value is kept.
    foreign: Take | None = as_part
    # Whether arrays that need no conversion are kept without calling a converter.
    keeps_arrays: bool = False


LEAVES: Final = {
    "dynamic": Leaves(as_array, keeps_arrays=True),
    "argument": Leaves(as_argument, keeps_arrays=True),
    "result": Leaves(as_result),
}


def build_converter(leaves: Leaves, declared: Declared) -> Convert:
    """Return a function that converts values to a declared type."""
    match declared:
        case ShapedRef(dtype=dtype):
            return _select(as_ref, dtype)
        case Shaped(dtype=dtype):
            return _array(leaves, dtype)
        case Weak(kind=kind):
            return _select(leaves.scalar, _NUMBERS[kind])
        case Part(cls=cls) if cls is not None:
            return build_converter(leaves, resolved(cls))
        case Later():
            return build_converter(leaves, resolved(declared))
        case Foreign(kind=kind) if leaves.foreign is not None:
            return _select(leaves.foreign, kind)
        case Each(kind=kind) if kind is dict:
            return _dict(leaves, declared)
        case Each(kind=kind) if kind in (tuple, list):
            item = build_converter(leaves, declared.item)
            convert = _sequence(kind, itertools.repeat(item))
            return _accept_any(Sequence, convert) if declared.is_any else convert
        case Each(kind=None):
            # Another package does not state the container, so the value's own type is
            # used.
            by_kind = {
                kind: build_converter(leaves, Each(declared.item, kind=kind))
                for kind in CONTAINERS
            }
            return lambda value, *at: by_kind.get(type(value), unchanged)(value, *at)
        case Items(items=items):
            parts = [build_converter(leaves, one) for one in items]
            return _sequence(tuple, parts, len(parts))
        case AnyOf():
            # Only the name of an object of another package is known, so it is tried
            # last.
            options = sorted(declared.options, key=lambda one: one == Part())
            converters = [build_converter(leaves, one) for one in options]
            return _union(converters) if {*converters} != {unchanged} else unchanged
        case None:
            return _none
        case type() if declared in _NUMBERS.values():
            return _select(leaves.scalar, declared)
        case type() if issubclass(declared, Generated):
            return _select(leaves.part, declared)
        case _:
            return unchanged


def _as_key(key: Any, owner: Owner, path: str) -> tuple[Any, None]:
    """Accept a key of any type. NumPy keys become Python numbers."""
    return key.item() if isinstance(key, np.generic) else key, None


def _select(take: Take, declared: Any) -> Convert:
    return lambda value, owner, path: take(value, declared, owner, path)


def _array(leaves: Leaves, dtype: str) -> Convert:
    take = leaves.array
    if not leaves.keeps_arrays:
        return _select(take, dtype)

    def convert(value: Any, owner: Owner, path: str) -> Any:
        if type(value) not in CONVERTED and not is_weak(value):
            return value
        return take(value, dtype, owner, path)

    return convert


def unchanged(value: Any, owner: Owner, path: str) -> Any:
    """Accept any value unchanged."""
    return value


def _none(value: Any, owner: Owner, path: str) -> None:
    if value is not None:
        raise mistyped(value, owner, path, "None")


def _sequence(
    kind: type[Any], items: Iterable[Convert], length: int | None = None
) -> Convert:
    """Convert a tuple or a list; the field gets its own list."""
    expected = f"a {kind.__name__}"
    expected += f" of length {length}" if length is not None else ""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        if type(value) is not kind or length not in (None, len(value)):
            is_other = type(value) in {tuple, list} - {kind}
            remedy = f"use a {kind.__name__}" if is_other else ""
            raise mistyped(value, owner, path, expected, remedy)
        pairs = enumerate(zip(items, value, strict=False))
        return kind([item(part, owner, f"{path}[{i}]") for i, (item, part) in pairs])

    return convert


def _accept_any(kind: type[Any], convert: Convert) -> Convert:
    """Accept any sequence except a text as a tuple, or any mapping as a dict of the
    same order.
    """
    of: Any = {Sequence: tuple, Mapping: dict}[kind]

    def convert_any(value: Any, owner: Owner, path: str) -> Any:
        if isinstance(value, kind) and not isinstance(value, _TEXTS):
            value = of(value)
        return convert(value, owner, path)

    return convert_any


def _dict(leaves: Leaves, declared: Each) -> Convert:
    """Convert to a new dict; keys are converted like static values."""
    item = build_converter(leaves, declared.item)
    # JAX treats dicts as the same if their keys are equal, such as 1 and True.
    is_known = declared.key is not ...
    as_key = declared_types.converter(declared.key, "static") if is_known else _as_key

    def convert(value: Any, owner: Owner, path: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise mistyped(value, owner, path, "a dict", "use a plain dict")
        keys = [as_key(name, owner, f"{path}.keys()")[0] for name in value]
        items = [item(part, owner, f"{path}[{name!r}]") for name, part in value.items()]
        return dict(zip(keys, items, strict=True))

    return _accept_any(Mapping, convert) if declared.is_any else convert


def _union(options: Sequence[Convert]) -> Convert:
    """Convert by the first alternative that accepts the value."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        errors: list[Any] = []
        for option in options:
            try:
                return option(value, owner, path)
            except (TypeError, ValueError) as error:
                errors.append(error)
        remedy = remedies(errors, path)
        expected = " or ".join(dict.fromkeys(error.refusal[1] for error in errors))
        raise mistyped(value, owner, path, expected, remedy)

    return convert
