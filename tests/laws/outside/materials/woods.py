"""A generic type inside another class."""

import dataclasses
from typing import Generic, TypeVar

T = TypeVar("T")


class Species:
    @dataclasses.dataclass(frozen=True)
    class Oak(Generic[T]):
        rings: int
