"""`jax_md.dataclasses`, in short."""

import dataclasses

import jax


def static_field(**options):
    return dataclasses.field(metadata={"static": True}, **options)


def dataclass(cls):
    made = jax.tree_util.register_dataclass(dataclasses.dataclass(frozen=True)(cls))
    made.set = dataclasses.replace
    return made
