from typing import Literal

from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim(mesh="x")
m = Dim()
k = Dim()

class Layer(dims=(k,)):
    w: dynamic[f32[k, 1 + n, n * 2]]

class Net:
    kind: static[Literal[1, "b", "a"]]
    layer: dynamic[Layer[1 + n]]
    rest: dynamic[f32[1 + n, n + (1 + m), m * (1 + n) * 2, (1 + n) // 2, n, m, n + 1 - m]]

@impl("m:f")
def run(x: dynamic[f32[1 + n]], kind: static[Literal["b", "a"]]) -> f32[n * 2]: ...
