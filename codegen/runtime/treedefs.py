"""Exact structures of trees, since JAX's `==` of treedefs uses Python's `==` of their
metadata.

    one, other = map(jax.tree_util.tree_structure, (Theirs(x, n=1), Theirs(x, n=True)))
    one == other                            # True
    Structure(one) == Structure(other)      # False

The metadata of a generated class's node is its key. The metadata of any other node is
defined by its author, and is tagged like static values. Functions, which are never
copied, are tagged by identity.
"""

import functools
import itertools
from collections.abc import Hashable
from typing import Any, TypeAlias

import jax

from .keys.messages import Owner, mismatch
from .keys.names import Generated, is_generated
from .statics.tagging import METHODS, as_static
from .statics.views import fresh, is_named_tuple

# `jax.tree_util.PyTreeDef`, which is no type for type checkers.
TreeDef: TypeAlias = Any


class Structure:
    """A treedef with exact `==` and hash. It is created for a lookup, so it is tagged
    on demand.

    It keeps alive all objects to which its tag refers by `id()`.
    """

    def __init__(self, treedef: TreeDef) -> None:
        self.treedef = treedef

    @functools.cached_property
    def tag(self) -> Hashable:
        """The tag to compare. Raises a TypeError with class and field if there is none."""
        self.treedef = owned(self.treedef)
        return _tag(self.treedef)

    def __hash__(self) -> int:
        return hash(self.tag)

    def __eq__(self, other: object) -> bool:
        return type(other) is Structure and self.tag == other.tag


def _tag(treedef: TreeDef) -> Hashable:
    node = treedef.node_data()
    if node is None:
        return None
    kind, metadata = node
    its, tag = type(metadata), metadata
    # The metadata of a generated class is its key, which equals only itself.
    if metadata is not None and not issubclass(kind, Generated):
        if its is dict:
            metadata = (*metadata, *metadata.values())
        elif its is list:
            metadata = tuple(metadata)
        fields = getattr(kind, "__dataclass_fields__", {}).values()
        names = [field.name for field in fields if field.metadata.get("static")]
        if its is tuple and len(names) == len(metadata):
            tag = tuple(map(_exact, metadata, itertools.repeat(kind), names))
        else:
            tag = _exact(metadata, kind, "<metadata>")
    return (id(kind), id(its), tag, *map(_tag, treedef.children()))


def _exact(value: Any, owner: Owner, path: str) -> Hashable:
    kind: Any = type(value)
    if kind is tuple or is_named_tuple(kind):
        items = enumerate(value)
        return (id(kind), *(_exact(item, owner, f"{path}[{i}]") for i, item in items))
    if is_generated(value) and not jax.tree_util.tree_leaves(value):
        return _tag(jax.tree_util.tree_structure(value))
    if isinstance(value, METHODS):
        return id(kind), value
    if callable(value) and kind.__eq__ is object.__eq__:
        return "reference", id(value)
    content, tag = as_static(value, owner, path)
    if fresh(content) is not content:
        expected = "an immutable value that is compared by value"
        remedy = "an array cannot be metadata of a pytree: make it one of its children"
        raise mismatch(value, owner, path, expected, remedy)
    return tag


def same_structure(one: TreeDef, other: TreeDef) -> bool:
    """Return whether two treedefs are exactly the same.

    If no exact tag can be built, as for a list, they are compared as JAX does, and by
    their text.
    """
    if one != other:
        return False
    try:
        return Structure(one) == Structure(other)
    except TypeError:
        return repr(one) == repr(other)


# --- treedefs of foreign classes


def is_mutable(treedef: TreeDef) -> bool:
    """Return whether a foreign class has put a list or dict into a treedef."""
    kind, metadata = treedef.node_data() or (None, None)
    is_its = type(metadata) in (dict, list) and kind is not dict
    return is_its or any(map(is_mutable, treedef.children()))


def owned(treedef: TreeDef) -> TreeDef:
    """Return a treedef without a list or dict that other code may change."""
    if not is_mutable(treedef):
        return treedef
    kind, metadata = treedef.node_data()
    if type(metadata) in (dict, list):
        metadata = metadata.copy()
    treedef_class: Any = jax.tree_util.PyTreeDef
    children = list(map(owned, treedef.children()))
    registry = jax.tree_util.default_registry
    return treedef_class.from_node_data_and_children(
        registry, (kind, metadata), children
    )
