"""What classes have whose schema tags a field: their structure with labels and masks in it.

w: donated[f32[n]] = field(tag="decay")     # in the schema
optax.masked(optax.add_decayed_weights(0.1), model.mask("decay"))
optax.multi_transform({"decay": ..., "": ...}, model.labels())
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
        """Return the object with its tag in the place of every array, for `optax.multi_transform`.

        The first one where a field has several, and `""` where it has none. A tag of a
        field that holds an object counts for all below that say nothing else.
        """
        labels: Self = _mapped(self, (), lambda tags: tags[0] if tags else "")
        return labels

    def mask(self, tag: str) -> Self:
        """Return the object with True in the place of every array that has a tag, else False.

        Raises:
            ValueError: nothing in the object can have the tag; says which there are
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
    """Replace every leaf by what is made of its tags."""

    def mapped(item: Any) -> Any:
        if not is_generated(item):
            return visit(tags)
        record = type(item).__codegen_record__
        children, key = record.flatten(item)
        # Classes of other packages, which may be of an earlier version.
        own = getattr(record, "tags", {})
        pairs = zip(record.data_fields, children, strict=True)
        made = (_mapped(child, own.get(name, tags), visit) for name, child in pairs)
        return record.unflatten(key, tuple(made))

    return jax.tree_util.tree_map(mapped, value, is_leaf=is_generated)
