"""The module's documentation."""

from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, impl, static

nx = Dim(mesh="rows")  # cells along x
ny = Dim(mesh=("cols", "more"))
"""Cells along y."""
batch = Dim()

Field = f32[nx, ny]
Fields: TypeAlias = f32[batch, nx, ny]  # several of them

T = TypeVar("T")
Number = TypeVar("Number", int, float)
Bounded = TypeVar("Bounded", bound=Grid | None)

class Scheme(Enum):
    """How to step."""

    EXPLICIT = "explicit"  # forward Euler

class Grid:
    nx: static[int]  # cells along x
    ny: static[int]  # noqa: E501
    dx: static[float] = 0.01
    """Size of a cell [m]."""
    after: static[int]  # a field without a default behind one with

@impl("heat_model:step")
def step(field: donated[Field], grid: static[Grid]) -> Field:
    """Advance."""

@impl("heat_model:identity")
def identity(x: dynamic[T]) -> T: ...
