"""A class with the name of an import."""

from flax import struct

from heat.tables import Table


@struct.dataclass
class Table:
    rows: int


def first() -> Table:
    return Table(1)
