# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Exact structures of trees: JAX's own `==` of treedefs is Python's of their metadata.

    one, other = map(jax.tree_util.tree_structure, (Theirs(x, n=1), Theirs(x, n=True)))
    one == other                            # True
    Structure(one) == Structure(other)      # False

A node of a class of ours has its key as metadata. Any other has what its author gives,
which is tagged as static values are; but a function, which nothing copies, by identity.
What cannot be compared exactly is refused by its path:

    step(Theirs(x, n=[1]))      # TypeError: argument `state.n` of `step` takes ...
"""

import dataclasses
import types
from collections.abc import Hashable, Iterable, Sequence
from itertools import count, repeat
from typing import Any, Final

import jax

from .classes.trees import foreign
from .converters import is_named_tuple
from .keys.conversion import statics
from .keys.messages import Owner, mismatch
from .keys.names import is_generated

# Whose own `==` is that of the objects and functions that they are made of.
_METHODS: Final = (
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
)
# The path of what is tagged without one.
_NOWHERE: Final = repeat("")


class InexactStructure(TypeError):
    """Some metadata cannot be compared exactly."""


class Structure:
    """A treedef whose `==` and hash are exact; made for a lookup, so tagged by need.

    It keeps alive what its tag refers to by `id()`.
    """

    __slots__ = ("hashed", "tag", "treedef")

    hashed: int
    tag: Hashable

    def __init__(self, treedef: Any) -> None:
        self.treedef = treedef

    def __hash__(self) -> int:
        try:
            return self.hashed
        except AttributeError:
            self.treedef = owned(self.treedef)
            try:
                self.tag = _tag(self.treedef)
            except TypeError as error:
                raise InexactStructure(str(error)) from error
            self.hashed = hash(self.tag)
            return self.hashed

    def __eq__(self, other: object) -> bool:
        if type(other) is not Structure:
            return NotImplemented
        return hash(self) == hash(other) and self.tag == other.tag


def owned(treedef: Any) -> Any:
    """Return a treedef that holds no list or dict that somebody else may change."""
    node = treedef.node_data()
    if node is None:
        return treedef
    kind, metadata = node
    children = treedef.children()
    made = list(map(owned, children))
    if type(metadata) in (dict, list) and kind is not dict:
        metadata = metadata.copy()
    elif all(new is old for new, old in zip(made, children, strict=True)):
        return treedef
    registry = jax.tree_util.default_registry
    new: Any = jax.tree_util.PyTreeDef
    return new.from_node_data_and_children(registry, (kind, metadata), made)


def located(
    error: InexactStructure, values: Sequence[Any], paths: Sequence[str], owner: Owner
) -> TypeError:
    """Return the error that says by its path which metadata is not exact."""
    try:
        for value, path in zip(values, paths, strict=True):
            require_exact(value, owner, path)
    except TypeError as found:
        return found
    return error


def require_exact(value: Any, owner: Owner, path: str) -> None:
    """Refuse a tree with metadata that cannot be compared exactly.

    Raises:
        TypeError: names the metadata by its path
    """
    record = getattr(type(value), "__codegen_record__", None)
    if record is not None:
        for name in record.data_fields:
            require_exact(getattr(value, name), owner, f"{path}.{name}")
        return
    registry: Any = jax.tree_util.default_registry
    one = registry.flatten_one_level_with_keys(value)
    if one is None:
        return
    items, metadata = one
    whole = f"{path}.<metadata>"
    names = _names(type(value), items, metadata)
    steps = [path + name for name in names] or (f"{whole}[{i}]" for i in count())
    metadata_tag(metadata, owner, whole, steps)
    for key, child in items:
        require_exact(child, owner, path + jax.tree_util.keystr((key,)))


def _names(kind: Any, items: Any, metadata: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's metadata, where it is as many fields."""
    if not dataclasses.is_dataclass(kind) or type(metadata) is not tuple:
        return ()
    children = {getattr(key, "name", None) for key, _ in items}
    fields = (field.name for field in dataclasses.fields(kind))
    names = tuple(f".{name}" for name in fields if name not in children)
    return names if len(names) == len(metadata) else ()


def _tag(treedef: Any) -> Hashable:
    node = treedef.node_data()
    if node is None:
        return None
    kind, metadata = node
    # That of a class of ours is its key, which is equal only to itself.
    given = metadata is None or hasattr(kind, "__codegen_record__")
    tag = metadata if given else metadata_tag(metadata)
    return (id(kind), tag, *map(_tag, treedef.children()))


def metadata_tag(
    metadata: Any, owner: Owner = "", whole: str = "", steps: Iterable[str] = _NOWHERE
) -> Hashable:
    """Tag what a class's own function has made of an object, which may be a list or dict.

    Args:
        metadata: what it has made
        owner: for errors
        whole: the path of all of it, for errors
        steps: those of its items

    Raises:
        TypeError: it cannot be compared exactly
    """
    kind: Any = type(metadata)
    if kind is dict:
        metadata = [*metadata, *metadata.values()]
    elif kind is not tuple and kind is not list:
        return _exact(metadata, owner, whole)
    pairs = zip(metadata, steps, strict=False)
    return (kind, *[_exact(item, owner, step) for item, step in pairs])


def _exact(value: Any, owner: Owner, path: str) -> Hashable:
    kind: Any = type(value)
    if kind is str:
        text: str = value
        return text  # No other tag is one.
    if kind is tuple or is_named_tuple(kind):
        items = enumerate(value)
        return (id(kind), *(_exact(item, owner, f"{path}[{i}]") for i, item in items))
    if is_generated(value) and not jax.tree_util.tree_leaves(value):
        return _tag(jax.tree_util.tree_structure(value))
    if any(kind is each for each in _METHODS):
        return id(kind), value
    if callable(value) and kind.__eq__ is object.__eq__:
        return "reference", id(value)
    content, tag = statics.tag(value, owner, path)
    if statics.fresh(content) is not content:
        expected = "an immutable value that is compared by value"
        remedy = "an array is no metadata of a pytree: make it one of its children"
        raise mismatch(value, owner, path, expected, remedy)
    return tag


foreign.structure = Structure
