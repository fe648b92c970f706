"""`chex.dataclass`, in short: leaves sorted by name, keywords alone, a mapping."""

import dataclasses

import jax

Array = jax.Array


def dataclass(cls=None, *, frozen=False):
    if cls is None:
        return lambda cls: dataclass(cls, frozen=frozen)
    made = dataclasses.dataclass(frozen=frozen, kw_only=True)(cls)
    made.replace = dataclasses.replace
    made.__getitem__ = lambda self, name: vars(self)[name]
    made.__len__ = lambda self: len(vars(self))

    def flatten(obj):
        keys = sorted(vars(obj))
        return [(jax.tree_util.GetAttrKey(key), vars(obj)[key]) for key in keys], tuple(keys)

    def unflatten(keys, values):
        obj = object.__new__(made)
        for key, value in zip(keys, values):
            object.__setattr__(obj, key, value)
        return obj

    jax.tree_util.register_pytree_with_keys(made, flatten, unflatten)
    return made
