"""The bases of classes that name their dimensions, and of those that say how to initialise.

mlp = Mlp.abstract(pixels=784, hidden=128, classes=10, middle=1)
mlp.axes("hidden")              # for in_axes and out_axes of `vmap`
mlp.zeros()
mlp.init(jax.random.key(0))
"""

from typing import Self

from jax import Array

from ..classes.registration import Pytree
from .axes import axes_of
from .init import init_of, zeros_of


class ShapedPytree(Pytree):
    """A class that says what shapes its arrays have."""

    __slots__ = ()

    def axes(self, dim: str) -> Self:
        """Return the position of a dimension in every array, for `vmap`.

        The object returned has `None` where an array does not have the dimension, and
        the first position where it has it twice. It is what in_axes and out_axes take.

        Raises:
            ValueError: the class has no such dimension
        """
        axes: Self = axes_of(self, dim)
        return axes

    def zeros(self) -> Self:
        """Return the object with zeros in every array: `Plate.abstract(...).zeros()`."""
        return zeros_of(self)


class InitPytree(ShapedPytree):
    """A class with arrays that say how they are initialised."""

    __slots__ = ()

    def init(self, key: Array) -> Self:
        """Return the object with every array initialised: `Mlp.abstract(...).init(key)`.

        Each array has a random key of its own, by its path, whatever the order of fields.

        Args:
            key: as `jax.random.key` makes it

        Raises:
            TypeError: arrays have neither an initializer nor a default; says which
        """
        return init_of(self, key)
