"""A module whose class inherits a default that is of the third."""

from enum import Enum

from .b import Base

class Scheme(Enum):
    EXPLICIT = "explicit"

class Derived(Base):
    """Derived."""
