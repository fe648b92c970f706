from codegen.schema import Dim, donated, f32, impl, static

n = Dim()  # cells

@impl("bar:step")
def step(u: donated[f32[n]], dt: static[float]) -> f32[n]: ...
