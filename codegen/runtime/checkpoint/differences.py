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
from ..keys.names import content_of, is_generated, module_and_name
from ..mesh.fingerprints import format_static
from ..sharing import HOLE
from .schemas import NUMBERS, is_array

_LINE_MAX: Final = 60
_WAYS_MAX: Final = 20


def has_holes(value: Any) -> bool:
    """Return whether an object lacks a value that another part of it should own."""
    parts = value if isinstance(value, list | tuple) else ()
    if is_generated(value):
        names = type(value).__codegen_record__.data_fields
        parts = [getattr(value, name) for name in names]
    elif isinstance(value, dict):
        parts = [*value.values()]
    return value is HOLE or any(map(has_holes, parts))


def matches_itself(value: Any, like: Any) -> bool:
    """Return whether a value matches another one, without comparing their parts.

    Numbers match by kind: a Python number is as good as an array of one.
    """
    value, like = content_of(value), content_of(like)
    if isinstance(like, Sharding):
        return value is HOLE or is_array(value) or type(value) in NUMBERS
    if is_array(value) and is_array(like):
        return bool(value.dtype == like.dtype and value.shape == like.shape)
    return value is HOLE or _outline(value) == _outline(like)


def matches_deeply(value: Any, like: Any) -> bool:
    """Return whether a value matches another one, including all parts."""
    flatten: Any = jax.tree_util.tree_flatten
    (some, one), (others, other) = flatten(value), flatten(like)
    return bool(one == other) and all(map(matches_itself, some, others))


def _outline(value: Any) -> Any:
    """Return what must be equal for two values to match, besides their parts."""
    if type(value) in NUMBERS or (is_array(value) and value.shape == ()):
        dtype = getattr(value, "dtype", None) or np.dtype(type(value))
        return getattr(dtype, "kind", "key")
    if isinstance(value, dict):
        return _keys(value)
    if isinstance(value, tuple | list):
        return type(value), len(value)
    # Compare classes by name: a reload creates another class of the same name.
    return module_and_name(type(value))


def _keys(value: Any) -> set[str]:
    """Return the texts of the keys of a dict: `==` treats 1 as True, and a NaN as equal
    to nothing.
    """
    return (
        {format_static(key, "") for key in value} if isinstance(value, dict) else set()
    )


def describe_difference(value: Any, like: Any) -> str:
    """Describe a value and the one in `like`; of two dicts, the keys that only one
    has.
    """
    return f"is {noun(value, _keys(like))}, and `like` has {noun(like, _keys(value))}"


def noun(value: Any, other: Collection[str] = ()) -> str:
    """Describe a value in a short line; of a dict, by the keys whose texts are not among
    the others; of another container or an object, by its kind.
    """
    if is_array(value):
        return f"{value.dtype}{[*value.shape]}"
    if isinstance(value, dict):
        keys = [key for key in value if format_static(key, "") not in other] or value
        return f"a dict with the keys {shorten(', '.join(map(format_line, keys)), _LINE_MAX)}"
    if isinstance(value, tuple | list | frozenset):
        return f"{a_or_an(type(value).__name__, '')} of length {len(value)}"
    if dataclasses.is_dataclass(value) or type(value) is frozendict:
        return a_or_an(type(value).__qualname__)
    return shorten(format_line(value), _LINE_MAX)


def static_differences(value: Any, like: Any) -> list[tuple[str, str, str]]:
    """List the paths at which two static values differ, with a text of both.

    If a long table differs as a whole, only the first paths are listed.
    """
    differences = [*iter_differences(value, like, "", is_static=True)]
    if len(differences) > _WAYS_MAX:
        more = f", with {len(differences) - _WAYS_MAX} more differences"
        return [
            *(_way(step, *pair) for step, pair in differences[:_WAYS_MAX]),
            ("", noun(value), f"{noun(like)}{more}"),
        ]
    return [_way(step, *pair) for step, pair in differences or [("", (value, like))]]


def _way(step: str, one: Any, other: Any) -> tuple[str, str, str]:
    """Return a way, and the texts of both values, with their difference if both look
    alike.
    """
    step = step if step[:1] in ("", "[") else f".{step}"
    mine, theirs, more = noun(one), noun(other), ""
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        saved, expected = ({*map(format_line, each)} for each in (one, other))
        new, old = (
            shorten(", ".join(sorted(each)), _LINE_MAX) or "nothing"
            for each in (expected - saved, saved - expected)
        )
        more = f", with {new} instead of {old}"
    elif mine == theirs and type(one) is not type(other):
        more = f" of `{type(other).__module__}`"
    elif mine == theirs:
        more = first_difference(one, other)
    return step, mine, f"{theirs}{more}"
