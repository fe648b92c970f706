"""A module whose other imports are relative."""

from codegen.schema import Shaped, dynamic

class Table:
    """From `heat.tables.Table`."""

    u: dynamic[Shaped[...] | float | None]
