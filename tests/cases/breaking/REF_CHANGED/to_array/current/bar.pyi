from codegen.schema import Dim, dynamic, f32, impl

n = Dim()

class Bar:
    u: dynamic[f32[n]]

@impl("m:f")
def f(x: dynamic[f32[n]]) -> f32[n]: ...
