"""A plain value type."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Alloy:
    name: str
    parts: tuple[int, ...] = ()


STEEL = Alloy("steel")
