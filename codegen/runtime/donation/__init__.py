"""A generated function that donates the donated fields of its donated arguments.

step: Final = DonatingFunction(..., name="step", donated=["plate"])
new = step(plate, 0.1)              # consumes plate.u alone
new = step.keep(plate, 0.1)         # the same, consuming nothing
"""

from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..call import Function, Leaves

if TYPE_CHECKING:
    from .programs import DonatingProgram

P = ParamSpec("P")
R = TypeVar("R")


class DonatingFunction(Function[P, R]):
    """A function of a schema that consumes the donated fields of its donated arguments."""

    @property
    def _program_type(self) -> "type[DonatingProgram]":
        from .programs import DonatingProgram

        return DonatingProgram

    def _donation(self, program: Any, donated: Leaves, kept: Leaves) -> dict[str, bool]:
        from .buffers import reused_buffers

        leaves = donated, kept
        traced = program.staged("trace", program.donating, leaves, "donation")
        reused = reused_buffers(program.donating.args[0], traced, donated)
        return dict(zip(program.structure.paths, reused, strict=False))
