from codegen.schema import Dim, donated, dynamic, f32, field

n = Dim()  # cells

class Bar(kw_only=True):
    u: donated[f32[n]]
    alpha: dynamic[f32[n]] = field(init="zeros")
