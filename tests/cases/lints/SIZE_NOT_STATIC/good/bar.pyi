from codegen.schema import Dim, dynamic, f32, static

n = Dim()  # cells

class Bar:
    n: static[int]
    u: dynamic[f32[n]]  # temperature [K]
