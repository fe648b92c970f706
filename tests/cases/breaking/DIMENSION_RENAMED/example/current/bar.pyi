from codegen.schema import Dim, donated, f32

cells = Dim()  # cells

class Bar:
    u: donated[f32[cells]]  # temperature [K]
