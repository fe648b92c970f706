"""Classes of libraries: the source is read and rewritten, and never imported."""

from typing import Any

from codegen.schema import Float, Shaped, dynamic, field, identity, static

from heat.kinds import _AssignedMethods, _PlateMethods, _SolverMethods

class Plate(_PlateMethods, kw_only=False):
    """From `heat.kinds.Plate`."""

    u: dynamic[Float[...] | float | None]
    params: dynamic[Any]  # weights
    apply: static[identity[Any]]
    other: dynamic[Solver | None] = None

class Solver(_SolverMethods, kw_only=False):
    """From `heat.kinds.Solver`."""

    order: static[int | None] = field(convert="builtins:int")
    tolerance: dynamic[bool | int | float | None] = 0.001
    shape: static[Any] = (1, 2)

class Called(kw_only=False):
    """From `heat.kinds.Called`."""

    x: dynamic[Shaped[...] | float | None]
    shape: static[tuple[int, ...]] = ()

class Assigned(_AssignedMethods):
    """From `heat.kinds.Assigned`."""

    n: static[int | None]
    x: dynamic[Shaped[...] | float | None]

class Source(kw_only=False):
    """From `heat.kinds.Source`."""

    scale: static[int | float | None] = 1.0
