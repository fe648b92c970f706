"""Functions with the `__dict__` of an object in a local name: only the first function just reads it."""

from typing import Any

from codegen.schema import dynamic

from zoo.tables import _ReadMethods

class Read(_ReadMethods):
    """From `zoo.tables.Read`."""

    u: dynamic[Any]
