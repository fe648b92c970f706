from codegen.schema import Dim, dynamic, f32
from typing import TypeVar

class Plate:
    n = Dim()
    m = Dim(mesh="rows")
    T = TypeVar("T")
    u: dynamic[f32[n]]
