from codegen.schema import Dim, dynamic, f32

n = Dim()  # cells

class Bar:
    n: dynamic[int]
    u: dynamic[f32[n]]  # temperature [K]
