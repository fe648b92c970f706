"""Classes with a decorator of the package, and classes of mjx."""

import dataclasses
from typing import Any, Optional, Tuple

import jax
from flax import struct
from mujoco.mjx._src.dataclasses import PyTreeNode

from zoo.animals import Bear


def bird(cls=None, *, frozen: bool = True):
    def make(cls):
        made = dataclasses.dataclass(cls, frozen=frozen)
        made._bird = True
        jax.tree_util.register_dataclass(made)
        return made

    return make if cls is None else make(cls)


def feather(*, default: Any = dataclasses.MISSING, static: bool = False):
    options = {"metadata": {"static": static}}
    return dataclasses.field(default=default, **options)


@bird
class Nest:
    obj: jax.Array
    init: Any = feather(default=1.0)
    twigs: tuple[int, ...] = feather(default=(), static=True)


@bird(frozen=True)
class Tree(Nest):
    nests: tuple[Nest, ...] = ()


@bird
class Twig:
    """Only a class that is taken out too reads its name."""

    size: Any


@bird
class Bud:
    size: Any


@bird
class Bough:
    """Its treedef differs from that of `Bud` only when both are generated."""

    size: Any


@bird
class Hedge:
    twigs: tuple[Twig, ...] = ()


class Contact(PyTreeNode):
    dist: jax.Array
    dim: int


class Wing(PyTreeNode):
    contact: Contact
    contacts: Tuple[Contact, ...]
    size: Optional[jax.Array]
    text: str = "wing"


class Near(PyTreeNode):
    far: Optional[jax.Array] = None


@struct.dataclass
class Egg:
    def replace(self, **changes):
        return dataclasses.replace(self, **changes)

    def is_warm(self):
        return True


@struct.dataclass
class Laid(Egg):
    size: jax.Array


@struct.dataclass
class Hummingbird(Bear):
    wings: Any = None


def near(other) -> Near:
    return Near(**vars(other))
