from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # cells

class Bar:
    alpha: dynamic[f32[n]]  # diffusivity [m^2/s]
    u: donated[f32[n]]  # temperature [K]
