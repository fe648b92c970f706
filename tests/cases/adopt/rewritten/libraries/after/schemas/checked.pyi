"""The decorator depends on whether a type checker reads it."""

from codegen.schema import Shaped, dynamic

class Checked(kw_only=True):
    """From `heat.checked.Checked`."""

    u: dynamic[Shaped[...] | float | None]
