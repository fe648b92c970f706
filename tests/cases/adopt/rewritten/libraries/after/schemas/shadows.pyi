"""A class with the name of an import."""

from codegen.schema import dynamic

class Table:
    """From `heat.shadows.Table`."""

    rows: dynamic[bool | int | float | None]
