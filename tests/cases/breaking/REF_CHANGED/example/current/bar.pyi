from codegen.schema import Dim, f32, ref, static

n = Dim()  # cells

class Bar:
    u: ref[f32[n]]  # temperature [K]
    dx: static[float] = 0.01  # cell size [m]
