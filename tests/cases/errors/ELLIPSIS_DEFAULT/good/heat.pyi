from codegen.schema import dynamic, f32, impl, static

class Grid:
    nx: static[int] = 64

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[int] = 1) -> f32: ...
