from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()

class Grid:
    g: dynamic[f32[n]] = 0.0
    h: static[f32[n]] = 0.0
    i: dynamic[tuple[f32[n], int]] = (0.0, 1)
    k: dynamic[f32[n] | None] = 0.5

@impl("heat_model:step")
def step(u: dynamic[f32[n]] = 0.0, w: static[f32[n]] = 0.0) -> f32: ...
