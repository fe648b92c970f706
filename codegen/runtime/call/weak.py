# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Weak types end at a call where a schema declares an array.

    plate.like(0.5)             # as arguments and results, with leaves of weak type
    strong_leaves(plate, ...)   # those of them that are declared as arrays

JAX compiles a program of its own for an argument of weak type. Looking at each argument
of each call would take longer than it may; when JAX traces for one, the trace says so by
`WeakLeaf` and ends, and from then on the arguments that were found are looked at.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import jax

from ..classes.arrays import strengthened
from ..keys.names import is_generated, is_of
from ..shapes.declared import Part

# A shape, and what the type parameters are that it names.
_Meant: TypeAlias = "tuple[Any, _Types]"
_Types: TypeAlias = "Mapping[str, _Meant]"

_CONTAINERS: Final = (tuple, list, dict)
# What is said of an object that has no holder.
_UNKNOWN: Final = Part()


class WeakLeaf(Exception):
    """Ends a trace that would be another one only because of a weak type."""


def strengthened_at(leaves: Iterable[Any], positions: Iterable[int]) -> list[Any]:
    """Return leaves of which those at some positions have no weak type."""
    strong = list(leaves)
    for position in positions:
        strong[position] = strengthened(strong[position])
    return strong


def strong_leaves(tree: Any, *, is_array: bool) -> Iterator[Any]:
    """Return the leaves that are declared as arrays.

    Args:
        tree: any, in which generated objects say what they declare
        is_array: whether the leaves outside of these are declared as arrays
    """
    for value in jax.tree_util.tree_leaves(tree, is_leaf=is_generated):
        if is_generated(value):
            yield from _of_object(value, _UNKNOWN, {})
        elif is_array:
            yield value


def _of_object(obj: Any, part: Any, outer: _Types) -> Iterator[Any]:
    """Return those of an object, whose parameters its holder says where it has one."""
    record = type(obj).__codegen_record__
    given = {name: _meant(shape, outer) for name, shape in part.types.items()}
    types = given if part.of == record.schema else {}
    types_of = dict.fromkeys(record.data_fields, types)
    for name, base in record.shapes.bases.items():
        types = {each: _meant(shape, types) for each, shape in base.types.items()}
        if part.of == name:
            types = given
        types_of |= dict.fromkeys(base.fields, types)
    for name in record.data_fields:
        shape = record.shapes.fields.get(name)
        yield from _of_value(getattr(obj, name), shape, types_of[name])


def _of_value(value: Any, shape: Any, types: _Types) -> Iterator[Any]:
    """Return those of a value that is declared with a shape.

    Shapes are known by name, as another generated package has its own.
    """
    shape, types = _meant(shape, types)
    kind = type(shape).__name__
    if kind == "AnyOf":
        yield from _of_value(value, *_chosen(shape, types, value))
    elif is_generated(value):
        yield from _of_object(value, shape if kind == "Part" else _UNKNOWN, types)
    elif kind in ("Each", "Items") and type(value) in _CONTAINERS:
        items = list(value.values() if type(value) is dict else value)
        declared = shape.items if kind == "Items" else [shape.item] * len(items)
        for item, each in zip(items, declared, strict=False):
            yield from _of_value(item, each, types)
    elif kind == "Shaped" and jax.tree_util.all_leaves([value]):
        yield value
    else:
        yield from strong_leaves(value, is_array=False)


def _chosen(union: Any, types: _Types, value: Any) -> _Meant:
    """Return which shape of a union a value has; none where a Python number would do."""
    options = [_meant(option, types) for option in union.options]
    by_kind = {type(option[0]).__name__: option for option in reversed(options)}
    if "Weak" in by_kind:
        return None, types
    if is_generated(value):
        parts = (each for each in options if type(each[0]).__name__ == "Part")
        found = [part for part in parts if is_of(value, part[0].of)]
    else:
        wanted = ("Each", "Items") if type(value) in _CONTAINERS else ("Shaped",)
        found = [by_kind[kind] for kind in wanted if kind in by_kind]
    return found[0] if found else (None, types)


def _meant(shape: Any, types: _Types) -> _Meant:
    """Return what a shape is that may be a type parameter, and the types of its own."""
    if type(shape).__name__ == "Given":
        return types.get(shape.parameter, (None, types))
    return shape, types
