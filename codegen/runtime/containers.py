"""Convert containers and unions of arrays and objects to their declared types.

layers = tuple_of(array("float32"), ...)
layers.dynamic([1.0], Stack, "layers")      # TypeError: ... use a tuple
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .classes.values import CONVERTED, as_argument, as_array, is_weak
from .converters import Convert, as_part, as_result, as_scalar, remedies
from .keys.messages import Owner, mistyped

# Sequences of numbers or letters.
_TEXTS: Final = (str, bytes, bytearray, memoryview)
# From a value and what its type declares, its owner and its path to the converted value.
Take: TypeAlias = Callable[[Any, Any, Owner, str], Any]


def unchanged(value: object, owner: Owner, path: str) -> object:
    """Accept any value unchanged."""
    return value


class Leaves(NamedTuple):
    """The converters of values that contain no others, by where the value is."""

    array: Take
    scalar: Take = as_scalar
    part: Take = as_part
    # Of a value about which nothing is declared.
    other: Convert = unchanged


def _argument(value: object, declared: str, owner: Owner, path: str) -> object:
    if type(value) in CONVERTED or is_weak(value):
        return as_argument(value, declared, owner, path)
    return value


_LEAVES: Final = {
    "dynamic": Leaves(as_array),
    "argument": Leaves(_argument),
    "result": Leaves(as_result),
}


def leaves_of(place: str) -> Leaves:
    """Return the converters of a place: "dynamic", "argument", "result" or "draft"."""
    if place != "draft":
        return _LEAVES[place]
    from .drafts.values import LEAVES

    return LEAVES


def select(take: Take, declared: object) -> Convert:
    """Return a function that converts a value to what a type declares."""
    return lambda value, owner, path: take(value, declared, owner, path)


def nothing(value: object, owner: Owner, path: str) -> None:
    """Accept None."""
    if value is not None:
        raise mistyped(value, owner, path, "None")


def _sequence(
    kind: type[Any], items: Iterable[Convert], length: int | None = None
) -> Convert:
    """Convert a tuple or a list; the field gets its own list."""
    expected = f"a {kind.__name__}"
    expected += f" of length {length}" if length is not None else ""

    def convert(value: Any, owner: Owner, path: str) -> object:
        if type(value) is not kind or length not in (None, len(value)):
            is_other = type(value) in {tuple, list} - {kind}
            remedy = f"use a {kind.__name__}" if is_other else ""
            raise mistyped(value, owner, path, expected, remedy)
        pairs = enumerate(zip(items, value, strict=False))
        return kind([item(part, owner, f"{path}[{i}]") for i, (item, part) in pairs])

    return convert


def repeated(kind: type[Any], item: Convert, is_any: bool) -> Convert:
    """Convert a tuple or a list of any length; with `is_any` every sequence but a text."""
    convert = _sequence(kind, itertools.repeat(item))
    return _accept_any(Sequence, kind, convert) if is_any else convert


def fixed(items: Sequence[Convert]) -> Convert:
    """Convert a tuple of fixed length."""
    return _sequence(tuple, items, len(items))


def mapping(item: Convert, as_key: Callable[..., Any], is_any: bool) -> Convert:
    """Convert to a new dict; with `is_any` every mapping.

    Keys are converted like static values, by `as_key`: JAX treats dicts as the same if
    their keys are equal, such as 1 and True.
    """

    def convert(value: object, owner: Owner, path: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise mistyped(value, owner, path, "a dict", "use a plain dict")
        keys = [as_key(name, owner, f"{path}.keys()")[0] for name in value]
        items = [item(part, owner, f"{path}[{name!r}]") for name, part in value.items()]
        return dict(zip(keys, items, strict=True))

    return _accept_any(Mapping, dict, convert) if is_any else convert


def _accept_any(accepted: type[Any], kind: type[Any], convert: Convert) -> Convert:
    """Convert a value of an abstract type, except a text, to a container first."""

    def convert_any(value: object, owner: Owner, path: str) -> object:
        if isinstance(value, accepted) and not isinstance(value, _TEXTS):
            value = kind(value)
        return convert(value, owner, path)

    return convert_any


def union(options: Sequence[Convert]) -> Convert:
    """Convert by the first alternative that accepts the value."""

    def convert(value: object, owner: Owner, path: str) -> object:
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
