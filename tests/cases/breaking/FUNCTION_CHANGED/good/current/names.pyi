from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, impl

m = Dim()
k = Dim()
S = TypeVar("S")

class Layer(dims=(k,)):
    w: donated[f32[k, m + 1] | None]

class Box(Generic[S]):
    content: dynamic[S]
    layers: dynamic[tuple[Layer[m], ...]]

@impl("m:f")
def run(x: dynamic[f32[m]], box: dynamic[Box[f32[m]]]) -> f32[m]: ...
