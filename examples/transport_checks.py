"""The checks of a profile of `schemas/transport.pyi` when it is constructed."""

from jax import Array


class OneEdgeCondition:
    """A mixin for a profile whose edge is given by its value or by its gradient."""

    __slots__ = ()

    edge_value: Array | None
    edge_gradient: Array | None

    def __check_init__(self) -> None:
        """Reject a profile with both conditions or with none."""
        if (self.edge_value is None) == (self.edge_gradient is None):
            raise ValueError("give either edge_value or edge_gradient, and not both")
