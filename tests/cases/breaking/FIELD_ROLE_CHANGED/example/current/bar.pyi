from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]
    dx: dynamic[float] = 0.01  # cell size [m]
