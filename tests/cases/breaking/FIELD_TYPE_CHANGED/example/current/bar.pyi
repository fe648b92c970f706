from codegen.schema import Dim, bf16, donated, static

n = Dim()  # cells

class Bar:
    u: donated[bf16[n]]  # temperature [K]
    dx: static[float] = 0.01  # cell size [m]
