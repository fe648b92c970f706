"""What all parts have."""

import abc
import dataclasses
from enum import Enum
from typing import Generic, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T")


class Scheme(Enum):
    """How a step advances."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


class Named(abc.ABC):
    """A base without fields: it stays as it is."""

    @property
    def title(self):
        return type(self).__name__.lower()


# A comment above a class that leaves nothing behind.


class _PartMethods(Named):
    __slots__ = ()

    LIMIT = 10.0  # a class constant

    def __check_init__(self):
        # What is validated when an object is made.
        if isinstance(self.count, int) and self.count < 0:
            raise ValueError("count")

    def stepped(self):
        """A step further."""
        return dataclasses.replace(self, level=self.level + 1.0, count=self.count + 1)

    @classmethod
    def limit(cls):
        return cls.LIMIT

    @classmethod
    def empty(cls) -> "Part":
        return cls(jnp.zeros(()))


from plants._generated.base import Pair, Part  # noqa: E402


def zeros():
    return jnp.zeros(3)


def identity(x):
    return x
