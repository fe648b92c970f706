"""The package gives the module of the base, which must be imported first."""

from codegen.schema import Shaped, dynamic

from .bases import Base

class Heir(Base):
    """From `heat.heirs.Heir`."""

    v: dynamic[Shaped[...] | float | None]
