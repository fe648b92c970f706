from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()  # cells

@impl("bar:step")
def step(u: donated[f32[n]], dt: dynamic[float]) -> f32[n]: ...
