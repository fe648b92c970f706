"""A generic type inside another class, and an enum."""

import dataclasses
import enum
from typing import Generic, TypeVar

T = TypeVar("T")


class Species:
    @dataclasses.dataclass(frozen=True)
    class Oak(Generic[T]):
        rings: int


class Grain(enum.Enum):
    STRAIGHT = "straight"
    WAVY = "wavy"
