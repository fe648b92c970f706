"""Exact structures of trees: JAX's own `==` of treedefs is Python's of their metadata.

    one, other = map(jax.tree_util.tree_structure, (Theirs(x, n=1), Theirs(x, n=True)))
    one == other                            # True
    Structure(one) == Structure(other)      # False

A node of a class of ours has its key as metadata. Any other has what its author gives,
which is tagged as static values are; but a function, which nothing copies, by identity.
"""

import dataclasses
import functools
import types
from collections.abc import Hashable, Sequence
from typing import Any, Final

import jax

from .converters import is_named_tuple
from .keys.messages import Owner, mismatch
from .keys.names import is_generated
from .statics import as_static
from .statics.views import fresh

# Whose own `==` is that of the objects and functions that they are made of.
_METHODS: Final = types.MethodType | types.BuiltinFunctionType | types.MethodWrapperType
_registry: Final[Any] = jax.tree_util.default_registry


class InexactStructure(TypeError):
    """Some metadata cannot be compared exactly."""


class Structure:
    """A treedef whose `==` and hash are exact; made for a lookup, so tagged by need.

    It keeps alive what its tag refers to by `id()`.
    """

    def __init__(self, treedef: Any) -> None:
        self.treedef = treedef

    @functools.cached_property
    def tag(self) -> Hashable:
        """What is compared.

        Raises:
            InexactStructure: there is no such thing
        """
        self.treedef = owned(self.treedef)
        try:
            return _tag(self.treedef)
        except TypeError as error:
            raise InexactStructure(str(error)) from error

    def __hash__(self) -> int:
        return hash(self.tag)

    def __eq__(self, other: object) -> bool:
        return type(other) is Structure and self.tag == other.tag


def is_mutable(treedef: Any) -> bool:
    """Tell whether somebody else's class has put a list or dict into a treedef."""
    kind, metadata = treedef.node_data() or (None, None)
    is_its = type(metadata) in (dict, list) and kind is not dict
    return is_its or any(map(is_mutable, treedef.children()))


def owned(treedef: Any) -> Any:
    """Return a treedef that holds no list or dict that somebody else may change."""
    if not is_mutable(treedef):
        return treedef
    kind, metadata = treedef.node_data()
    if type(metadata) in (dict, list):
        metadata = metadata.copy()
    made: Any = jax.tree_util.PyTreeDef
    children = list(map(owned, treedef.children()))
    return made.from_node_data_and_children(_registry, (kind, metadata), children)


def located(
    error: InexactStructure, values: Sequence[Any], paths: Sequence[str], owner: Owner
) -> TypeError:
    """Return the error that says by its path which metadata is not exact.

    Example: argument `state.n` of `step` takes an immutable value that ...
    """
    places = [*zip(values, paths, strict=True)]
    try:
        for value, path in places:  # It grows.
            items, metadata = _registry.flatten_one_level_with_keys(value) or ((), None)
            items = dict(items)
            places += [(v, path + jax.tree_util.keystr((k,))) for k, v in items.items()]
            if is_generated(value):
                continue  # Its metadata is its key.
            held = {getattr(key, "name", "") for key in items}
            is_data = dataclasses.is_dataclass(value)
            fields = dataclasses.fields(value) if is_data else ()
            names = [field.name for field in fields if field.name not in held]
            if type(metadata) is tuple and len(names) == len(metadata):
                for name, item in zip(names, metadata, strict=True):
                    _exact(item, owner, f"{path}.{name}")
            else:
                _metadata_tag(metadata, owner, f"{path}.<metadata>")
    except TypeError as found:
        return found
    return error


def _tag(treedef: Any) -> Hashable:
    node = treedef.node_data()
    if node is None:
        return None
    kind, metadata = node
    # That of a class of ours is its key, which is equal only to itself.
    is_key = metadata is None or hasattr(kind, "__codegen_record__")
    tag = metadata if is_key else _metadata_tag(metadata, "", "")
    return (id(kind), tag, *map(_tag, treedef.children()))


def _metadata_tag(metadata: Any, owner: Owner, path: str) -> Hashable:
    """Tag what a class's own function has made of an object, which may be a list or dict."""
    kind: Any = type(metadata)
    if kind is dict:
        metadata = (*metadata, *metadata.values())
    elif kind is list:
        metadata = tuple(metadata)
    return id(kind), _exact(metadata, owner, path)


def _exact(value: Any, owner: Owner, path: str) -> Hashable:
    kind: Any = type(value)
    if kind is tuple or is_named_tuple(kind):
        items = enumerate(value)
        return (id(kind), *(_exact(item, owner, f"{path}[{i}]") for i, item in items))
    if is_generated(value) and not jax.tree_util.tree_leaves(value):
        return _tag(jax.tree_util.tree_structure(value))
    if isinstance(value, _METHODS):
        return id(kind), value
    if callable(value) and kind.__eq__ is object.__eq__:
        return "reference", id(value)
    content, tag = as_static(value, owner, path)
    if fresh(content) is not content:
        expected = "an immutable value that is compared by value"
        remedy = "an array is no metadata of a pytree: make it one of its children"
        raise mismatch(value, owner, path, expected, remedy)
    return tag
