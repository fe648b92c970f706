"""What all parts have."""

from typing import Any, Generic, TypeVar

from codegen.schema import dynamic, static

from plants.base import Scheme, _PartMethods

T = TypeVar("T")

class Pair(Generic[T]):
    """Two of a kind."""

    one: dynamic[T]
    two: dynamic[T]

class Part(_PartMethods, kw_only=False):
    """A part of a plant.

    It has a "level".
    """

    # Lines above a field
    # go where it goes.
    level: dynamic[bool | int | float | None]  # [m]
    count: dynamic[Any] = 0  # how often it was stepped
    scheme: static[Scheme] = Scheme.EXPLICIT
