from typing import Literal

from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()
m = Dim(mesh="x")
k = Dim()

class Layer(dims=(k,)):
    w: dynamic[f32[k, n + 1, 2 * n]]

class Net:
    kind: static[Literal["a", "b", 1]]
    layer: dynamic[Layer[n + 1]]
    rest: dynamic[f32[n + 1, (n + m) + 1, 2 * (n + 1) * m, (n + 1) // 2, n, m, 1 + n - m]]

@impl("m:f")
def run(x: dynamic[f32[n + 1]], kind: static[Literal["a", "b"]]) -> f32[2 * n]: ...
