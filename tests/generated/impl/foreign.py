"""Python types that the schemas use."""

import dataclasses
from typing import NamedTuple


@dataclasses.dataclass(frozen=True)
class Config:
    """A frozen dataclass. Its fields are part of the trace key."""

    name: str
    sizes: tuple[int, ...] = ()


class Pair(NamedTuple):
    """A plain named tuple."""

    first: float
    second: float


NO_NAME = Config("")
