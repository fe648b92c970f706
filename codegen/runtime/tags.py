"""Labels and masks for classes whose schema tags a field: trees of the same structure.

w: donated[f32[n]] = field(tag="decay")     # in the schema
optax.masked(optax.add_decayed_weights(0.1), lambda params: params.mask("decay"))
optax.multi_transform({"decay": ..., "": ...}, lambda params: params.labels())
"""

from collections.abc import Callable
from typing import TypeVar

import jax

from .keys.names import Generated, is_generated

T = TypeVar("T")
G = TypeVar("G", bound=Generated)
Tags = tuple[str, ...]


def mask_of(obj: G, tag: str) -> G:
    """Return an object with True for every array that has a tag, else False."""
    known = {*type(obj).__codegen_record__.all_tags}

    def has_tag(tags: Tags) -> bool:
        known.update(tags)
        return tag in tags

    mask = map_tags(obj, (), has_tag)
    if tag not in known:
        listed = ", ".join(f"`{one}`" for one in sorted(known))
        name = type(obj).__qualname__
        raise ValueError(f"`{name}` has no tag `{tag}`. It has {listed}")
    return mask


def map_tags(value: T, tags: Tags, visit: Callable[[Tags], object]) -> T:
    """Replace every leaf by a function of its tags."""

    def mapped(item: object) -> object:
        if not is_generated(item):
            return visit(tags)
        record = type(item).__codegen_record__
        children, key = record.flatten(item)
        pairs = zip(record.data_fields, children, strict=True)
        replaced = (
            map_tags(child, record.tags.get(name, tags), visit) for name, child in pairs
        )
        return record.unflatten(key, tuple(replaced))

    replaced: T = jax.tree_util.tree_map(mapped, value, is_leaf=is_generated)
    return replaced
