from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

@impl("model:step")
def step(x: dynamic[f32[n]]) -> f32[n]: ...
