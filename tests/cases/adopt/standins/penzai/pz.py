"""`penzai.pz`, in short."""

import dataclasses

import jax


class Struct:
    pass


def pytree_dataclass(cls):
    made = dataclasses.dataclass(frozen=True)(cls)
    roles = {one.name: one.metadata.get("pytree_node", True) for one in dataclasses.fields(made)}
    data = [name for name, is_data in roles.items() if is_data]
    return jax.tree_util.register_dataclass(made, data, [name for name in roles if not roles[name]])
