"""What each class is, decided once for all that is written about it."""

from __future__ import annotations

from msgspec import Struct

from codegen.program.nodes import Class, Field


class Kind(Struct, frozen=True):
    """What a class is, decided once for all that is written about it."""

    node: Class
    is_static: bool  # as a type: it and all its subclasses
    registration: str  # "exact" or "jax"
    checks_init: bool  # a mixin, its own or inherited, may want to check new objects

    @property
    def opens(self) -> bool:
        """Whether its objects are made open, then frozen: see `open_class` of the runtime.

        The open class has the same base, and would show among the subclasses of one that is
        somebody else's.
        """
        return self.node.base is None and not self.node.mixins

    @property
    def static_fields(self) -> tuple[Field, ...]:
        """The fields that make the key."""
        return tuple(f for f in self.node.fields if f.role == "static")

    @property
    def traced_fields(self) -> tuple[Field, ...]:
        """The fields that are children."""
        return tuple(f for f in self.node.fields if f.role != "static")
