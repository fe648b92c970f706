# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Walk trees as graphs: which objects and arrays are at several places.

    graph = Graph()
    for tree in (m, x, m):
        graph.visit(tree)
    graph.leaves        # those of m, and x: each once
    graph.shape         # hashable: equal where structures and repeats are

Objects of generated classes and arrays are told apart by identity. All else is a
container, which has none, or a leaf: numbers, strings, functions.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import jax
import numpy as np

from ..classes.registration import Record
from ..classes.structures import Structure

# Types that have been seen to be arrays; `isinstance` of jax.Array is slow.
_array_types: Final[set[type[Any]]] = set()
# The place of a leaf without identity.
LEAF: Final = "leaf"
_SCALARS: Final = frozenset({bool, int, float, complex, str, bytes})


def record_of(kind: type[Any]) -> Record | None:
    """Return the record of a generated class; None of any other, a subclass too."""
    record: Record | None = getattr(kind, "__codegen_record__", None)
    return record if record is not None and record.cls is kind else None


def is_array(value: Any) -> bool:
    """Tell whether a leaf has an identity: an array, a tracer, a ShapeDtypeStruct."""
    kind = type(value)
    if kind in _array_types:
        return True
    if isinstance(value, jax.Array | np.ndarray):
        _array_types.add(kind)
        return True
    if kind in _SCALARS or isinstance(value, np.generic | type):
        return False
    return hasattr(value, "dtype") and hasattr(value, "shape")


def children_of(
    value: Any, children: Sequence[Any], record: Record
) -> Iterator[tuple[str, Any, Any]]:
    """Return the fields of an object: name, child, and child as it is flattened.

    The two differ where parts are borrowed, by declared sharing: a hole is flattened in
    their place, and a copy with holes in the place of what holds them.
    """
    for name, child in zip(record.data_fields, children, strict=True):
        kind = type(child)
        real = child
        if hasattr(kind, "__codegen_record__") or is_hole(kind):
            real = getattr(value, name)
        yield name, real, child


def is_hole(kind: type[Any]) -> bool:
    """Tell whether borrowers leave it, of this package or of another copy of it."""
    return hasattr(kind, "__codegen_hole__")


def take_apart(
    value: Any,
) -> tuple[list[Any], Callable[[Sequence[Any]], Any], Callable[[int], str]] | None:
    """Return a container's items, what makes it of others, and their paths.

    None: it is a leaf. The order of the items is JAX's.
    """
    kind = type(value)
    if kind in _SCALARS:
        return None
    if kind is tuple or kind is list:
        return list(value), kind, "[{}]".format
    if kind is dict:
        keys = sorted_keys(value)
        return (
            [value[key] for key in keys],
            lambda items: dict(zip(keys, items, strict=True)),
            lambda index: f"[{keys[index]!r}]",
        )
    items, treedef = jax.tree_util.tree_flatten(value, is_leaf=_below(value))
    if len(items) == 1 and items[0] is value:
        return None
    make = functools.partial(jax.tree_util.tree_unflatten, treedef)
    return items, make, "[<{}>]".format


def _below(value: Any) -> Callable[[Any], bool]:
    return lambda item: item is not value


def sorted_keys(keys: Any) -> list[Any]:
    """Return the keys of a dict in JAX's order; as they are if they have none."""
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)  # JAX refuses the dict, with a better text.


class Graph:
    """Trees as a graph, in which every object and array is visited once."""

    def __init__(self) -> None:
        # What is not visited again, in JAX's order.
        self.leaves: list[Any] = []
        # One entry a place: the number of an object or array, and where an object is
        # first its key; the kind of a container; LEAF.
        self.shape: list[Any] = []
        # The numbers, by id.
        self.numbers: dict[int, int] = {}
        # The ids of what is at several places.
        self.repeated: set[int] = set()
        # From borrowers, by declared sharing, to the objects that declare it, as ids.
        self.declaring: dict[int, int] = {}
        # What was made on the way: its id must not be given to anything else.
        self.kept: list[Any] = []

    def visit(self, value: Any) -> None:
        """Visit a part of the trees."""
        kind = type(value)
        if kind in _array_types:
            self.visit_array(value)
        elif record_of(kind) is not None:
            self.visit_object(value, value, id(value))
        elif kind is tuple or kind is list:
            self.shape += kind, len(value)
            for item in value:
                self.visit(item)
        elif value is None or is_hole(kind):
            self.shape.append(None)
        elif is_array(value):
            self.visit_array(value)
        else:
            self.visit_other(value)

    def visit_array(self, value: Any) -> None:
        numbers = self.numbers
        number = numbers.get(id(value))
        if number is None:
            numbers[id(value)] = number = len(numbers)
            self.leaves.append(value)
        else:
            self.repeated.add(id(value))
        self.shape.append(number)

    def visit_object(self, value: Any, shadow: Any, declarer: int) -> None:
        """Visit an object.

        Args:
            value: the object
            shadow: what is flattened in its place: another object if parts are borrowed
            declarer: then, the id of the object that declares it
        """
        numbers, shape = self.numbers, self.shape
        if id(value) in numbers:
            self.repeated.add(id(value))
            shape.append(numbers[id(value)])
            return
        numbers[id(value)] = number = len(numbers)
        record: Record = type(value).__codegen_record__
        children, key = record.flatten(shadow)
        shape += number, key
        for name, child in zip(record.data_fields, children, strict=True):
            kind = type(child)
            if kind in _array_types:
                ident = id(child)
                if ident in numbers:
                    self.repeated.add(ident)
                else:
                    numbers[ident] = len(numbers)
                    self.leaves.append(child)
                shape.append(numbers[ident])
            elif hasattr(kind, "__codegen_record__"):
                real = getattr(value, name)
                if real is child:
                    self.visit(child)
                    continue
                self.kept.append(child)
                self.declaring[id(real)] = declarer
                self.visit_object(real, child, declarer)
            else:
                self.visit(child)

    def visit_other(self, value: Any) -> None:
        apart = take_apart(value)
        if apart is None:
            self.leaves.append(value)
            self.shape.append(LEAF)
            return
        items, _, _ = apart
        self.kept.append(items)
        kind = type(value)
        if kind is dict and all(type(key) is str for key in value):
            self.shape += dict, tuple(sorted(value))
        else:
            treedef = jax.tree_util.tree_structure(value, is_leaf=_below(value))
            self.shape.append(Structure(treedef))
        for item in items:
            self.visit(item)
