"""A module whose class inherits a default from the first, and whose method has one."""

from enum import Enum

from codegen.schema import impl, static

from .a import Scheme

class Norm(Enum):
    MAX = "max"

class Solver:
    """A solver."""

    steps: static[int]  # steps

    @impl("b:run")
    def run(self, scheme: Scheme = Scheme.EXPLICIT) -> int:
        """Run."""
