"""`simple_pytree`, in short."""

import dataclasses

import jax


class Pytree:
    pass


def static_field(**options):
    return dataclasses.field(metadata={"static": True}, **options)


def dataclass(cls):
    return jax.tree_util.register_dataclass(dataclasses.dataclass(frozen=True)(cls))
