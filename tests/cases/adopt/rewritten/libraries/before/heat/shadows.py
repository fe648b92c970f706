"""A class with the name of an import."""

import dataclasses

from flax import struct

from heat.tables import Table


@struct.dataclass
class Table:
    rows: int


def first() -> Table:
    return Table(1)


def is_checked(cls: type) -> bool:
    """The name `dataclass` is not taken from `heat.checked`, whose import of it can go."""
    return cls is not dataclasses.dataclass
