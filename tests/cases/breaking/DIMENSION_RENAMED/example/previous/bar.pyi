from codegen.schema import Dim, donated, f32

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]
