"""A module with a default that is of the first."""

from codegen.schema import static

from .a import Scheme

class Base:
    """A base."""

    scheme: static[Scheme] = Scheme.EXPLICIT  # scheme
