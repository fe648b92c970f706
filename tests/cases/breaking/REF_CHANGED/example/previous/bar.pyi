from codegen.schema import Dim, donated, f32, static

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]
    dx: static[float] = 0.01  # cell size [m]
