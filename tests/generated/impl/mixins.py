"""Mixins for generated classes: methods, operators and checks."""

import abc
import collections
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from jax import Array

T = TypeVar("T")
checked: collections.Counter[str] = collections.Counter()


class Doubling:
    """An operator for a class with a field `u`."""

    __slots__ = ()

    u: Array

    if TYPE_CHECKING:

        def replace(self, *, u: Any) -> Self: ...

    def doubled(self) -> Self:
        return self.replace(u=self.u * 2)


class Tagged(Generic[T]):
    """A generic mixin with a type parameter."""

    __slots__ = ()

    def tagged(self, tag: T) -> tuple[Self, T]:
        return self, tag


class Solving(abc.ABC):
    """A base for all solvers."""

    __slots__ = ()

    @abc.abstractmethod
    def solve(self, x: float) -> float: ...


class Close:
    """An equality for a class with a field `u`."""

    __slots__ = ()

    u: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(abs(self.u - other.u) < 0.1)

    def __hash__(self) -> int:
        return 0


class Checked:
    """Reject a negative limit, but only when an object is constructed."""

    __slots__ = ()

    limit: int

    def __check_init__(self) -> None:
        checked[type(self).__name__] += 1
        if self.limit < 0:
            raise ValueError(f"{type(self).__name__}: limit is negative")
