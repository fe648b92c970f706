"""Find dimensions that always agreed across the fields of a class, in the order of observation.

dimensions([{"u": (3, 4), "heat": (4,)}, {"u": (5, 6), "heat": (6,)}], ())
->    {"u": ("_", "n"), "heat": ("n",)}

A comment proposes them. `--shapes` declares them as parameters of the class, so that one owner may
have objects of the class with different sizes.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count

from msgspec import structs

from codegen.adopt.decide.nodes import NAME_MARK, SchemaField

_NAMES = ("n", "m", "k", "p", "q", "r")
_ARRAY = re.compile(f"{NAME_MARK}codegen.schema:\\w+{NAME_MARK}(\\[\\.\\.\\.\\])")
_NAMED_DIMENSION = re.compile(f"{NAME_MARK}codegen.schema:\\w+{NAME_MARK}\\[([a-z0-9_, ]+)\\]")
_ANY = "_"
_COMMENT_MAX = 90

_Place = tuple[str, int]
"""A field and one of its axes."""


def dimensions(
    seen: Sequence[Mapping[str, tuple[int, ...]]], used_names: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the names of each field's axes: `_` if no other axis always has the same size.

    Fields that were seen with several ranks are omitted.
    """
    ranks: dict[str, set[int]] = {}
    for one in seen:
        for field, shape in one.items():
            ranks.setdefault(field, set()).add(len(shape))
    fields = {field: max(counts) for field, counts in ranks.items() if len(counts) == 1}
    groups: list[list[_Place]] = []
    for place in ((field, axis) for field, rank in fields.items() for axis in range(rank)):
        fitting = (
            group for group in groups if all(_always_agree(place, one, seen) for one in group)
        )
        group = next(fitting, None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    free = _iter_free_names(used_names)
    called = {place: next(free) for group in groups if len(group) > 1 for place in group[:1]}
    names = {place: called[group[0]] for group in groups if group[0] in called for place in group}
    return {
        field: tuple(names.get((field, axis), _ANY) for axis in range(rank))
        for field, rank in fields.items()
    }


def _always_agree(
    one: _Place, other: _Place, seen: Sequence[Mapping[str, tuple[int, ...]]]
) -> bool:
    """Return whether two axes had equal sizes in all objects with both, and there is one."""
    sizes = [
        (shapes[one[0]][one[1]], shapes[other[0]][other[1]])
        for shapes in seen
        if one[0] in shapes and other[0] in shapes
    ]
    return bool(sizes) and all(mine == theirs for mine, theirs in sizes)


def _iter_free_names(used_names: Collection[str]) -> Iterator[str]:
    every = (f"{name}{number or ''}" for number in count() for name in _NAMES)
    return (name for name in every if name not in used_names)


def declare_dimensions(field: SchemaField, axes: Mapping[str, tuple[str, ...]]) -> SchemaField:
    """Return a field with these dimensions, if its type contains exactly one array."""
    if field.name not in axes or len(_ARRAY.findall(field.type)) != 1:
        return field
    shape = f"[{', '.join(axes[field.name])}]" if axes[field.name] else ""
    type_ = _ARRAY.sub(lambda match: match[0].removesuffix("[...]") + shape, field.type)
    return structs.replace(field, type=type_)


def dimension_names(fields: Sequence[SchemaField]) -> tuple[str, ...]:
    """Return the names of dimensions in the types of these fields, in order."""
    every = (name for field in fields for name in _NAMED_DIMENSION.findall(field.type))
    return tuple(dict.fromkeys(name for text in every for name in text.split(", ") if name != _ANY))


def format_proposal(axes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the lines of the comment that proposes dimensions; empty if no axes agreed."""
    named = [f"{field}[{', '.join(one)}]" for field, one in axes.items() if {*one} - {_ANY}]
    text = f"Observed: {', '.join(named)}; `--shapes` declares such dimensions."
    return tuple(textwrap.wrap(text, _COMMENT_MAX)) if named else ()
