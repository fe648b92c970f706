from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, static

n = Dim()  # cells

T = TypeVar("T")

class Bar:
    u: donated[f32[n]]  # temperature [K]
    dx: static[float] = 0.01  # cell size [m]

class Rod(Generic[T]):
    v: dynamic[T]
