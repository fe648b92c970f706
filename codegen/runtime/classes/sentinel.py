"""A default for arguments that stand for "as it is".

    def replace(self, *, nx: int | Keep = KEEP) -> Self:
        if nx is KEEP:
            nx = self.nx
        return type(self)(nx=nx)

Type checkers narrow `nx is KEEP`, because an enum of one member is one value.
"""

import enum
from typing import Final


class Keep(enum.Enum):
    """The type of `KEEP`."""

    KEEP = enum.auto()

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = Keep.KEEP
