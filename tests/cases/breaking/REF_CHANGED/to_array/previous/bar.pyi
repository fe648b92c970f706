from codegen.schema import Dim, f32, impl, ref

n = Dim()

class Bar:
    u: ref[f32[n]]

@impl("m:f")
def f(x: ref[f32[n]]) -> f32[n]: ...
