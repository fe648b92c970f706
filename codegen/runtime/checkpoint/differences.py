"""Differences between a value and the one that `like=` has, and their text in errors.

matches_itself(np.float32(1), 2.0)      # True: of numbers their kind counts
describe_difference(1, 2)               # "is 1, and `like` has 2"
"""

import dataclasses
from collections.abc import Collection
from typing import Any, Final

import jax
import numpy as np
from jax.sharding import Sharding

from ..classes.values import first_difference, iter_differences
from ..frozen_dicts import frozendict
from ..keys.messages import a_or_an, format_line, shorten
from ..keys.names import (
    content_of,
    is_generated,
    module_and_name,
)
from ..mesh.fingerprints import format_static
from ..sharing import HOLE
from .schemas import NUMBERS, is_array

_LINE_MAX: Final = 60
_WAYS_MAX: Final = 20


def has_holes(value: Any) -> bool:
    """Return whether an object lacks a value that another part of it should own."""
    if value is HOLE:
        return True
    if is_generated(value):
        names = type(value).__codegen_record__.data_fields
        return any(has_holes(getattr(value, name)) for name in names)
    if isinstance(value, dict):
        value = tuple(value.values())
    return isinstance(value, list | tuple) and any(map(has_holes, value))


def matches_itself(value: Any, like: Any) -> bool:
    """Return whether a value matches another one, without comparing their parts.

    Numbers match by kind: a Python number is as good as an array of one.
    """
    if value is HOLE:
        return True
    value, like = content_of(value), content_of(like)
    if isinstance(like, Sharding):
        return is_array(value) or type(value) in NUMBERS
    if is_array(value) and is_array(like):
        return bool(value.dtype == like.dtype and value.shape == like.shape)
    if _number_kind(value) or _number_kind(like):
        return _number_kind(value) == _number_kind(like)
    if isinstance(value, dict):
        return isinstance(like, dict) and _keys(value) == _keys(like)
    if isinstance(value, tuple | list):
        return type(value) is type(like) and len(value) == len(like)
    # Compare classes by name: a reload creates another class of the same name.
    return module_and_name(type(value)) == module_and_name(type(like))


def _keys(value: dict[Any, Any]) -> set[str]:
    """Return the texts of keys: `==` treats 1 as True, and a NaN as equal to
    nothing.
    """
    return {format_static(key, "") for key in value}


def matches_deeply(value: Any, like: Any) -> bool:
    """Return whether a value matches another one, including all parts."""
    flatten: Any = jax.tree_util.tree_flatten
    (some, one), (others, other) = flatten(value), flatten(like)
    return bool(one == other) and all(map(matches_itself, some, others))


def _number_kind(value: Any) -> str:
    if type(value) in NUMBERS:
        return np.dtype(type(value)).kind
    is_single = is_array(value) and value.shape == ()
    return str(getattr(value.dtype, "kind", "")) if is_single else ""


def describe_difference(value: Any, like: Any) -> str:
    """Describe a value and the one in `like`; of two dicts, the keys that only one
    has.
    """
    keys = [_keys(one) if isinstance(one, dict) else set() for one in (value, like)]
    return f"is {noun(value, keys[1])}, and `like` has {noun(like, keys[0])}"


def noun(value: Any, other: Collection[str] = ()) -> str:
    """Describe a value; of a dict, the keys whose texts are not among the others."""
    if is_array(value):
        return f"{value.dtype}{[*value.shape]}"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return shorten(format_line(value), _LINE_MAX)
    if isinstance(value, dict):
        keys = [key for key in value if format_static(key, "") not in other] or value
        return f"a dict with the keys {shorten(', '.join(map(format_line, keys)), _LINE_MAX)}"
    if isinstance(value, tuple | list | frozenset):
        return f"{a_or_an(type(value).__name__, '')} of length {len(value)}"
    return a_or_an(type(value).__qualname__)


def format_brief(value: Any) -> str:
    """Format a static value as a short line; of a container, only its kind."""
    is_whole = is_array(value) or isinstance(value, tuple | frozenset)
    if is_whole or type(value) is frozendict or dataclasses.is_dataclass(value):
        return noun(value)
    return shorten(format_line(value), _LINE_MAX)


def static_differences(value: Any, like: Any) -> list[tuple[str, str, str]]:
    """List the paths at which two static values differ, with a text of both.

    If a long table differs as a whole, only the first paths are listed.
    """
    differences = [*iter_differences(value, like, "", is_static=True)] or [
        ("", (value, like))
    ]
    ways = [
        (
            step if step[:1] in ("", "[") else f".{step}",
            format_brief(one),
            _format_beside(one, other),
        )
        for step, (one, other) in differences[:_WAYS_MAX]
    ]
    if more := len(differences) - len(ways):
        text = f"{format_brief(like)}, with {more} more differences"
        ways.append(("", format_brief(value), text))
    return ways


def _format_beside(one: Any, other: Any) -> str:
    """Format a value beside another one, and their difference if both look alike."""
    text = format_brief(other)
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        saved, expected = ({*map(format_line, each)} for each in (one, other))
        more, less = (
            shorten(", ".join(sorted(each)), _LINE_MAX) or "nothing"
            for each in (expected - saved, saved - expected)
        )
        return f"{text}, with {more} instead of {less}"
    if text != format_brief(one):
        return text
    if type(one) is not type(other):
        return f"{text} of `{type(other).__module__}`"
    return text + first_difference(one, other)
