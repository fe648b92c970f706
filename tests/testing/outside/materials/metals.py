"""A plain type of values."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Alloy:
    name: str
    parts: tuple[int, ...] = ()


STEEL = Alloy("steel")
