# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Walk trees as graphs: which objects and arrays are at several places.

    graph = Graph()
    for tree in (m, x, m):
        graph.visit_tree(tree)
    graph.leaves        # those of m, and x: each once
    graph.shape         # hashable: equal where structures and repeats are

Objects of generated classes and arrays are told apart by identity. All else is a
container, which has none, or a leaf: numbers, strings, functions.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jax
import numpy as np

from ..classes.registration import Record
from ..structures import Structure

# Types that have been seen to be arrays; `isinstance` of jax.Array is slow.
_array_types: Final[set[type[Any]]] = set()
# The place of a leaf without identity.
LEAF: Final = "leaf"
# Of JAX's trees; its stubs know less of them.
_registry: Final[Any] = jax.tree_util.default_registry
_TreeDef: Final[Any] = jax.tree_util.PyTreeDef
_LEAF: Final = jax.tree_util.tree_structure(0)
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


def is_hole(kind: type[Any]) -> bool:
    """Tell whether borrowers leave it, of this package or of another copy of it."""
    return hasattr(kind, "__codegen_hole__")


class Level(NamedTuple):
    """A container or object, and what it directly holds."""

    items: list[Any]
    # The path of each. Example: ".table", "[0]"
    steps: list[str]
    # With a leaf in the place of each item.
    treedef: Any

    def made_of(self, items: Sequence[Any]) -> Any:
        """Return one of other items."""
        return jax.tree_util.tree_unflatten(self.treedef, items)


def level_of(value: Any) -> Level | None:
    """Take a container or object apart as JAX does; None: it is a leaf."""
    one = _registry.flatten_one_level_with_keys(value)
    if one is None:
        return None
    pairs, metadata = one
    items = list(pairs)
    node = type(value), metadata
    treedef = _TreeDef.from_node_data_and_children(
        _registry, node, [_LEAF] * len(items)
    )
    steps = [jax.tree_util.keystr((key,)) for key, _ in items]
    return Level([item for _, item in items], steps, treedef)


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
        # The ids of what is at several places; of these, what is in several trees.
        self.repeated: set[int] = set()
        self.crossing: set[int] = set()
        # How many objects and arrays there were before the tree that is being visited.
        self.before = 0
        # From borrowers, by declared sharing, to the objects that declare it, as ids.
        self.declaring: dict[int, int] = {}
        # What was made on the way: its id must not be given to anything else.
        self.kept: list[Any] = []

    def visit_tree(self, tree: Any) -> None:
        self.before = len(self.numbers)
        self.visit(tree)

    def visit(self, value: Any) -> None:
        """Visit a part of a tree."""
        kind = type(value)
        if kind in _array_types:
            self.visit_array(value)
        elif record_of(kind) is not None:
            self.visit_object(value, value, id(value))
        elif kind is tuple or kind is list:
            self.shape += kind, len(value)
            for item in value:
                self.visit(item)
        elif kind is dict and all(type(key) is str for key in value):
            keys = sorted(value)
            self.shape += dict, tuple(keys)
            for key in keys:
                self.visit(value[key])
        elif value is None or is_hole(kind):
            self.shape.append(None)
        elif is_array(value):
            self.visit_array(value)
        else:
            self.visit_other(value)

    def visit_array(self, value: Any) -> None:
        if self.is_new(id(value)):
            self.leaves.append(value)
        self.shape.append(self.numbers[id(value)])

    def is_new(self, ident: int) -> bool:
        """Give what has not been visited a number; tell whether it has not."""
        number = self.numbers.get(ident)
        if number is None:
            self.numbers[ident] = len(self.numbers)
            return True
        self.repeated.add(ident)
        if number < self.before:
            self.crossing.add(ident)
        return False

    def visit_object(self, value: Any, shadow: Any, declarer: int) -> None:
        """Visit an object.

        Args:
            value: the object
            shadow: what is flattened in its place: another object if parts are borrowed
            declarer: then, the id of the object that declares it
        """
        is_new = self.is_new(id(value))
        self.shape.append(self.numbers[id(value)])
        if not is_new:
            return
        record: Record = type(value).__codegen_record__
        children, key = record.flatten(shadow)
        self.shape.append(key)
        for name, child in zip(record.data_fields, children, strict=True):
            is_object = hasattr(type(child), "__codegen_record__")
            real = getattr(value, name) if is_object else child
            if real is child:
                self.visit(child)
                continue
            # It has holes of this object's making.
            self.kept.append(child)
            self.declaring.setdefault(id(real), declarer)
            self.visit_object(real, child, declarer)

    def visit_other(self, value: Any) -> None:
        level = None if type(value) in _SCALARS else level_of(value)
        if level is None:
            self.leaves.append(value)
            self.shape.append(LEAF)
            return
        self.kept.append(level)
        self.shape.append(Structure(level.treedef))
        for item in level.items:
            self.visit(item)
