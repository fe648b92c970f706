from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # cells

class Base:
    t: dynamic[f32] = 0.0

class Bar:
    u: donated[f32[n]]
    t: dynamic[f32] = 0.0
