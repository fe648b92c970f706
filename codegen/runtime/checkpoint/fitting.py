"""Whether a value is of a declared type, as far as a field that is traced asks for one.

    fits((1.0, 2.0), parse("tuple[float, ...]"), package)    # True

Arrays are of any dtype and rank, as after `vmap`, `grad` or a comparison; what was saved
is held against what `about` says of each.
"""

import dataclasses
import itertools
import numbers
import pathlib
import re
from collections.abc import Collection
from typing import Any, Final

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from ..classes.trees import compared, first_difference
from ..converters import is_named_tuple
from ..evolution import Type
from ..keys.messages import a_or_an, cut, flat
from ..keys.names import (
    KINDS,
    is_found,
    is_frozendict,
    is_generated,
    is_hole,
    is_of,
    qualified,
)
from ..mesh.fingerprints import text_of
from .schemas import Package

ANY: Final = Type("Any")
_ARRAY: Final = re.compile(r"[fiuc]\d+|bf16|f8_\w+|[iu][24]|bool|key")
_NUMBERS: Final = (bool, int, float, complex)
_SEQUENCES: Final[dict[str, Any]] = {"list": list, "Sequence": tuple, "tuple": tuple}
_MAPPINGS: Final = ("dict", "Mapping", "frozendict")
_SINGLE: Final[dict[str, type[Any]]] = {"None": type(None), "str": str, "bytes": bytes}

_LINE_MAX: Final = 60
_WAYS_MAX: Final = 20

# Of what no name leads to, their texts alone say all.
_TOLD: Final = (
    numbers.Number,
    pathlib.PurePath,
    re.Pattern,
    AbstractMesh,
    Mesh,
    PartitionSpec,
    Sharding,
)


def fits(value: Any, declared: Type, package: Package) -> bool:
    """Tell whether a value may stand in a dynamic field of a type."""
    kind: Any = type(value)
    # What optax's masks leave of an array is a named tuple of nothing.
    if is_hole(value) or (is_named_tuple(kind) and not value):
        return True
    return any(_fits(value, one, package) for one in declared.members)


def _fits(value: Any, declared: Type, package: Package) -> bool:
    name = declared.name
    if name in _SINGLE:
        return type(value) is _SINGLE[name]
    if is_array_type(declared) or name in ("int", "float", "complex"):
        return is_array(value) or type(value) in _NUMBERS
    if name in _MAPPINGS or name in _SEQUENCES:
        if not isinstance(value, _SEQUENCES.get(name, dict)):
            return False
        items = [*(value.values() if name in _MAPPINGS else value)]
        is_fixed = name == "tuple" and not is_repeated(declared, package)
        if is_fixed and len(items) != len(declared.arguments):
            return False
        types = (element(declared, i, package) for i in range(len(items)))
        return all(map(fits, items, types, itertools.repeat(package)))
    if name == "stacked":
        return fits(value, declared.arguments[0], package)
    # By name: after a reload, objects from before it are as good.
    return is_of(value, name) if package.is_class(name) else True


def is_array_type(declared: Type) -> bool:
    """Tell whether a type is one of arrays."""
    return declared.name in KINDS or _ARRAY.fullmatch(declared.name) is not None


def is_repeated(declared: Type, package: Package) -> bool:
    """Tell whether a tuple has as many elements as a dimension says, or any number."""
    if len(declared.arguments) != 2:
        return False
    last = declared.arguments[1].name
    # Arithmetic of dimensions is written with spaces.
    return last in package.dims or last == "..." or last.isdecimal() or " " in last


def element(declared: Type, index: int, package: Package) -> Type:
    """Return what is declared of one element of a container."""
    for one in declared.members:
        if one.name in _MAPPINGS:
            return one.arguments[1]
        is_each = one.name != "tuple" or is_repeated(one, package)
        is_one = one.name in _SEQUENCES or one.name == "frozenset"
        if is_one and (is_each or index < len(one.arguments)):
            return one.arguments[0 if is_each else index]
    return ANY


def is_array(value: Any) -> bool:
    """Tell whether a value is an array, or stands for one."""
    return isinstance(value, jax.Array | np.ndarray | np.generic | jax.ShapeDtypeStruct)


def has_holes(value: Any) -> bool:
    """Tell whether something is missing in an object that another part of it should own."""
    if is_hole(value):
        return True
    if is_generated(value):
        names = type(value).__codegen_record__.data_fields
        return any(has_holes(getattr(value, name)) for name in names)
    if isinstance(value, dict):
        value = tuple(value.values())
    return isinstance(value, list | tuple) and any(map(has_holes, value))


def is_like(value: Any, like: Any) -> bool:
    """Tell whether a value is what another one says, as far as their parts are not asked.

    Of numbers their kind counts: a number of Python's is as good as an array of one.
    """
    if is_hole(value):
        return True
    if isinstance(like, Sharding):
        return is_array(value) or type(value) in _NUMBERS
    if is_array(value) and is_array(like):
        return bool(value.dtype == like.dtype and value.shape == like.shape)
    if _number_kind(value) or _number_kind(like):
        return _number_kind(value) == _number_kind(like)
    if isinstance(value, dict):
        return isinstance(like, dict) and _keys(value) == _keys(like)
    if isinstance(value, tuple | list):
        return type(value) is type(like) and len(value) == len(like)
    # After a reload, another class goes by its name.
    return qualified(type(value)) == qualified(type(like))


def _keys(value: dict[Any, Any]) -> set[str]:
    """Return the texts of keys: `==` takes 1 for True, and a NaN for none."""
    return {text_of(key, "") for key in value}


def are_alike(value: Any, like: Any) -> bool:
    """Tell whether a value is what another one says, with all its parts."""
    flatten: Any = jax.tree_util.tree_flatten
    (some, one), (others, other) = flatten(value), flatten(like)
    return bool(one == other) and all(map(is_like, some, others))


def _number_kind(value: Any) -> str:
    if type(value) in _NUMBERS:
        return np.dtype(type(value)).kind
    is_single = is_array(value) and value.shape == ()
    return str(getattr(value.dtype, "kind", "")) if is_single else ""


def is_told(value: Any) -> bool:
    """Tell whether a text stands for one value alone, as the name of a function does."""
    return is_found(value) or isinstance(value, _TOLD)


def contrast(value: Any, like: Any) -> str:
    """Say what a value is, and what `like` has; of two dicts, the keys of only one."""
    keys = [_keys(one) if isinstance(one, dict) else set() for one in (value, like)]
    return f"is {noun(value, keys[1])}, and `like` has {noun(like, keys[0])}"


def noun(value: Any, other: Collection[str] = ()) -> str:
    """Say what a value is; of a dict, keys whose texts are not among others."""
    if is_array(value):
        return f"{value.dtype}{[*value.shape]}"
    if value is None or isinstance(value, bool | int | float | complex | str):
        return cut(flat(value), _LINE_MAX)
    if isinstance(value, dict):
        keys = [key for key in value if text_of(key, "") not in other] or value
        return f"a dict of {cut(', '.join(map(flat, keys)), _LINE_MAX)}"
    if isinstance(value, tuple | list | frozenset):
        return f"{a_or_an(type(value).__name__, '')} of {len(value)}"
    return a_or_an(type(value).__qualname__)


def brief(value: Any) -> str:
    """Show a static value in a short line; of what holds others, only the kind."""
    is_whole = is_array(value) or isinstance(value, tuple | frozenset)
    if is_whole or is_frozendict(value) or dataclasses.is_dataclass(value):
        return noun(value)
    return cut(flat(value), _LINE_MAX)


def static_differences(value: Any, like: Any) -> list[tuple[str, str, str]]:
    """List the ways to what differs in two static values, with a text of both.

    Of a long table that differs as a whole, these are only the first.
    """
    found = [*compared(value, like, "", is_static=True)] or [("", (value, like))]
    ways = [
        (step if step[:1] in ("", "[") else f".{step}", brief(one), _other(one, other))
        for step, (one, other) in found[:_WAYS_MAX]
    ]
    if more := len(found) - len(ways):
        told = f"{brief(like)}, with {more} more parts that differ"
        ways.append(("", brief(value), told))
    return ways


def _other(one: Any, other: Any) -> str:
    """Show a value beside another one, and what differs if both look alike."""
    text = brief(other)
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        saved, asked = ({*map(flat, each)} for each in (one, other))
        more, less = (
            cut(", ".join(sorted(each)), _LINE_MAX) or "nothing"
            for each in (asked - saved, saved - asked)
        )
        return f"{text}, with {more} instead of {less}"
    if text != brief(one):
        return text
    if type(one) is not type(other):
        return f"{text} of `{type(other).__module__}`"
    return text + first_difference(one, other)
