from codegen.schema import Dim, donated, dynamic, f32, static

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]
    dx: static[float] = 0.01
    alpha: dynamic[f32[n]]

class Sorted(kw_only=True, sort_leaves=True):
    b: dynamic[f32]
    a: dynamic[f32]
