"""Mixins of generated classes: methods, operators and checks."""

import collections
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from jax import Array

T = TypeVar("T")
checked: collections.Counter[str] = collections.Counter()


class Doubling:
    """An operator, for a class with a field `u`."""

    __slots__ = ()

    u: Array

    if TYPE_CHECKING:

        def replace(self, *, u: Any) -> Self: ...

    def doubled(self) -> Self:
        return self.replace(u=self.u * 2)


class Tagged(Generic[T]):
    """A mixin of a type that its user says."""

    __slots__ = ()

    def tagged(self, tag: T) -> tuple[Self, T]:
        return self, tag


class Checked:
    """Refuses a negative limit, when an object is constructed and never else."""

    __slots__ = ()

    limit: int

    def __check_init__(self) -> None:
        checked[type(self).__name__] += 1
        if self.limit < 0:
            raise ValueError(f"{type(self).__name__}: limit is negative")
