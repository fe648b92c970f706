from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()

class Grid:
    a: static[f32[n]] = zeros
    b: static[int] = normal(0.1)

@impl("heat_model:step")
def step(u: dynamic[f32[n]] = ones) -> f32: ...
