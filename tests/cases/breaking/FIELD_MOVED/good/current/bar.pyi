from codegen.schema import Dim, donated, dynamic, f32, static

n = Dim()  # cells

class Bar:
    dx: static[float] = 0.01
    u: donated[f32[n]]
    alpha: dynamic[f32[n]]

class Sorted(kw_only=True, sort_leaves=True):
    a: dynamic[f32]
    b: dynamic[f32]
