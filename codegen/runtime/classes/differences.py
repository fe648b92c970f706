# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""List the fields in which two objects of a class differ.

    diff(plate, other)["grid.nx"]       # (64, 65)
    print(diff(plate, other))

    u: f32[125,3] != f32[125,3], first at [0, 2]: 1.0 != 3.0
    grid.nx: 64 != 65

It is as exact as `==`: nothing differs where two objects are equal. NaN equals NaN.
"""

import dataclasses
from typing import Any, Final

import jax
import numpy as np

from ..keys.dtypes import is_kind
from ..keys.reloading import other_class
from ..keys.reprs import flat
from ..keys.tags import as_static
from .equality import equal_leaves
from .structures import same_structure

_ARRAYS: Final = (jax.Array, np.ndarray)


class Differences(dict[str, tuple[Any, Any]]):
    """What differs, by its path, with both values; printed, a line for each."""

    def __repr__(self) -> str:
        lines = [f"{path}: {_described(*pair)}" for path, pair in self.items()]
        return "\n".join(lines) or "no difference"


def diff(one: Any, other: Any) -> Differences:
    """Return the fields, by path, in which two objects of a class differ.

    Raises:
        TypeError: they are no objects of one generated class
    """
    kind, its = type(one), type(other)
    if kind is not its or not hasattr(kind, "__codegen_record__"):
        raise TypeError(
            "`diff` takes two objects of one generated class, but was given a "
            f"`{kind.__qualname__}` and a `{its.__qualname__}`"
            + (f": {remedy}" if (remedy := other_class(one, its)) else "")
        )
    found = Differences()
    _compare(one, other, "", found, is_static=False)
    return found


def _compare(
    one: Any, other: Any, path: str, found: Differences, *, is_static: bool
) -> None:
    """Add what differs at a path and below it."""
    mine, theirs = _parts(one), _parts(other)
    if type(one) is not type(other) or mine is None or theirs is None:
        is_leaf = mine is None and theirs is None
        same = _same_static if is_static else _same_tree
        if not (one is other or (is_leaf and same(one, other))):
            found[path] = one, other
    elif mine.keys() != theirs.keys() or (is_static and [*mine] != [*theirs]):
        found[path] = one, other
    else:
        record = getattr(type(one), "__codegen_record__", None)
        statics = () if record is None else record.meta_fields
        for name, item in mine.items():
            step = f".{name}" if path and not name.startswith("[") else name
            below = is_static or name in statics
            _compare(item, theirs[name], f"{path}{step}", found, is_static=below)


def _parts(value: Any) -> dict[str, Any] | None:
    """Return what a value holds, by the step that leads there; None of what is a leaf."""
    kind: Any = type(value)
    if hasattr(kind, "__codegen_record__"):
        names = [field.name for field in dataclasses.fields(kind)]
        return {name: getattr(value, name) for name in names}
    if kind is list or isinstance(value, tuple):
        steps = getattr(kind, "_fields", [f"[{i}]" for i in range(len(value))])
        return dict(zip(steps, value, strict=True))
    if kind is dict or hasattr(kind, "__codegen_tag__"):
        return {f"[{key!r}]": item for key, item in value.items()}
    return None


def _same_tree(one: Any, other: Any) -> bool:
    """Compare what may be a pytree of somebody else's, as `==` of an object does."""
    mine, treedef = jax.tree_util.tree_flatten(one)
    theirs, its = jax.tree_util.tree_flatten(other)
    return same_structure(treedef, its) and all(map(equal_leaves, mine, theirs))


def _same_static(one: Any, other: Any) -> bool:
    """Compare two static values as their keys do."""
    try:
        tags = [as_static(value, "diff", "value")[1] for value in (one, other)]
    except TypeError:
        return False  # what only its declared type lets in is compared by identity
    return tags[0] == tags[1]


def _described(one: Any, other: Any) -> str:
    texts = flat(one), flat(other)
    place = _first(one, other) if texts[0] == texts[1] else ""
    return f"{texts[0]} != {texts[1]}{place}"


def _first(one: Any, other: Any) -> str:
    """Say where two arrays of one shape begin to differ; nothing of what has no numbers."""
    if not isinstance(one, _ARRAYS) or is_kind(one.dtype, jax.dtypes.prng_key):
        return ""
    try:
        mine, theirs = np.asarray(one), np.asarray(other)
    except RuntimeError:  # deleted, or on another machine
        return ""
    differs = (mine != theirs) & ~((mine != mine) & (theirs != theirs))  # noqa: PLR0124
    places = np.argwhere(differs).tolist()
    if not places:
        return ""
    place = tuple(places[0])
    return f", first at {places[0]}: {mine[place]!s} != {theirs[place]!s}"
