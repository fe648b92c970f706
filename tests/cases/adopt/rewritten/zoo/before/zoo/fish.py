"""A class of mjx stays, which reads the annotations of its fields: they must not become strings."""

from typing import Union

import jax
from flax import struct
from mujoco.mjx._src.dataclasses import PyTreeNode


@struct.dataclass
class Fin:
    u: jax.Array

    def __neg__(self):
        return self.replace(u=-self.u)


@struct.dataclass
class Tail:
    u: jax.Array

    def beat(self, fin: Fin, *others: Union["Tail", Fin], times: int = 1) -> Fin:
        return -fin


class Fish(PyTreeNode):
    tail: Tail
    size: jax.Array

    def check(self, fin: Fin) -> Fin:
        return self.tail.beat(fin)
