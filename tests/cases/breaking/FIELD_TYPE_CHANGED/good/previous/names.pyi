from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()
k = Dim()
T = TypeVar("T")

class Layer(dims=(k,)):
    w: donated[f32[k, n + 1] | None]

class Box(Generic[T]):
    content: dynamic[T]
    layers: dynamic[tuple[Layer[n], ...]]

@impl("m:f")
def run(x: dynamic[f32[n]], box: dynamic[Box[f32[n]]]) -> f32[n]: ...
