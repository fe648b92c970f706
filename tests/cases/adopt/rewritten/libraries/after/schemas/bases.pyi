"""A class with a method, so the generated module imports this one."""

from codegen.schema import Shaped, dynamic

from heat.bases import _BaseMethods

class Base(_BaseMethods):
    """From `heat.bases.Base`."""

    u: dynamic[Shaped[...] | float | None]
