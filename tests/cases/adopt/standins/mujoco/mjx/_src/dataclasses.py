"""`PyTreeNode` of mjx, in short: fields with `jax.Array` are leaves, and all others are static."""

import dataclasses
import typing

import jax


def _has_arrays(kind):
    if dataclasses.is_dataclass(kind):
        return any(_has_arrays(one.type) for one in dataclasses.fields(kind))
    return kind is jax.Array or any(map(_has_arrays, typing.get_args(kind)))


class PyTreeNode:
    def __init_subclass__(cls):
        dataclasses.dataclass(frozen=True)(cls)
        cls.replace = dataclasses.replace
        fields = {one.name: _has_arrays(one.type) for one in dataclasses.fields(cls)}
        leaves = [name for name, is_leaf in fields.items() if is_leaf]
        statics = [name for name, is_leaf in fields.items() if not is_leaf]

        def flatten(obj):
            data = [(jax.tree_util.GetAttrKey(name), getattr(obj, name)) for name in leaves]
            return data, tuple(getattr(obj, name) for name in statics)

        def unflatten(values, data):
            return cls(**dict(zip(leaves, data)), **dict(zip(statics, values)))

        jax.tree_util.register_pytree_with_keys(cls, flatten, unflatten)

    @classmethod
    def fields(cls):
        return dataclasses.fields(cls)

    def tree_replace(self, params):
        return self.replace(**params)
