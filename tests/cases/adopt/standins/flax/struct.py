"""`flax.struct`, in short."""

import dataclasses

import jax


def field(pytree_node=True, **options):
    return dataclasses.field(metadata={"pytree_node": pytree_node}, **options)


def dataclass(cls):
    made = dataclasses.dataclass(frozen=True)(cls)
    made.replace = dataclasses.replace
    roles = {one.name: one.metadata.get("pytree_node", True) for one in dataclasses.fields(made)}
    data = [name for name, is_data in roles.items() if is_data]
    return jax.tree_util.register_dataclass(made, data, [name for name in roles if not roles[name]])


class PyTreeNode:
    def __init_subclass__(cls):
        dataclass(cls)
