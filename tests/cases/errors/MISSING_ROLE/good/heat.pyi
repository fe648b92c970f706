from codegen.schema import Dim, dynamic, f32, impl, static

nx = Dim()

class Grid:
    nx: static[int]
    dx: static[float] = 0.01
    u: dynamic[f32[nx]]

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[int] = 1) -> f32: ...
