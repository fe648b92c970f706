"""Labels and masks for classes whose schema tags a field: trees of the same structure.

w: donated[f32[n]] = field(tag="decay")     # in the schema
optax.masked(optax.add_decayed_weights(0.1), lambda params: params.mask("decay"))
optax.multi_transform({"decay": ..., "": ...}, lambda params: params.labels())
"""

from collections.abc import Callable
from typing import Any, Self

import jax

from .classes.registration import Pytree
from .keys.names import is_generated

Tags = tuple[str, ...]


class TaggedPytree(Pytree):
    """A class that tags a field, or holds an object of such a class."""

    __slots__ = ()

    def labels(self) -> Self:
        """Return the object with its tag instead of every array.

        For optax, write `optax.multi_transform(..., lambda params: params.labels())`.
        It also works for a class with `__call__`, whose labels optax would call.

        A field with several tags has the first as its label; a field without a tag has
        `""`. The tag of a field that holds an object applies to all arrays below it
        without tags of their own.
        """
        labels: Self = _mapped(self, (), lambda tags: tags[0] if tags else "")
        return labels

    def mask(self, tag: str) -> Self:
        """Return the object with True for every array that has a tag, and False for the
        others.

        For optax, write `optax.masked(..., lambda params: params.mask("decay"))`.

        Raises:
            ValueError: no part of the object can have the tag; the error lists the
                possible tags
        """
        known = {*type(self).__codegen_record__.all_tags}

        def has_tag(tags: Tags) -> bool:
            known.update(tags)
            return tag in tags

        mask: Self = _mapped(self, (), has_tag)
        if tag not in known:
            listed = ", ".join(f"`{one}`" for one in sorted(known))
            name = type(self).__qualname__
            raise ValueError(f"`{name}` has no tag `{tag}`. It has {listed}")
        return mask


def _mapped(value: Any, tags: Tags, visit: Callable[[Tags], Any]) -> Any:
    """Replace every leaf by a function of its tags."""

    def mapped(item: Any) -> Any:
        if not is_generated(item):
            return visit(tags)
        record = type(item).__codegen_record__
        children, key = record.flatten(item)
        pairs = zip(record.data_fields, children, strict=True)
        replaced = (
            _mapped(child, record.tags.get(name, tags), visit) for name, child in pairs
        )
        return record.unflatten(key, tuple(replaced))

    return jax.tree_util.tree_map(mapped, value, is_leaf=is_generated)
