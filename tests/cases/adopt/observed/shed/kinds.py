"""Uses that generated objects do not support."""

import dataclasses

import jax
from flax import struct


@struct.dataclass
class Rake:
    u: jax.Array


class Ladder(struct.PyTreeNode):
    u: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Barrow:
    u: jax.Array


@struct.dataclass
class Hoe:
    u: jax.Array


@struct.dataclass
class Spade:
    u: jax.Array


@struct.dataclass
class Fork:
    u: jax.Array


@struct.dataclass
class Bucket:
    water: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Cart:
    load: jax.Array


@struct.dataclass
class Scythe:
    u: jax.Array

    def table(self):
        return self.__dict__


@struct.dataclass
class Sickle:
    u: jax.Array

    def table(self):
        self = sharpen(self)
        return vars(self)


def sharpen(tool):
    return tool.replace(u=tool.u + 1)


def table(tool):
    return tool.__dict__


def variables(tool):
    return vars(tool)


def change(tool, name, value):
    setattr(tool, name, value)


def force(tool, name, value):
    object.__setattr__(tool, name, value)


def is_node(tool):
    return isinstance(tool, struct.PyTreeNode)


def table_that_runs(tool):
    return tool.__dict__


def table_of_spade(tool: Spade):
    return tool.__dict__


def table_of_fork(tool):
    if isinstance(tool, Fork):
        return tool.__dict__
    return None


def pour(tool):
    return Bucket(**vars(tool))


def fill(tool, load):
    tool.load = load
