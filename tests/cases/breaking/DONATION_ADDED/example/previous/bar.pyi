from codegen.schema import Dim, dynamic, f32, static

n = Dim()  # cells

class Bar:
    u: dynamic[f32[n]]  # temperature [K]
    dx: static[float] = 0.01  # cell size [m]
