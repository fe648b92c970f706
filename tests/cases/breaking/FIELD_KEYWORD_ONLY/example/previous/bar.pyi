from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]
    alpha: dynamic[f32[n]]  # diffusivity [m^2/s]
