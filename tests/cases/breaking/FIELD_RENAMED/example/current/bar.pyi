from codegen.schema import Dim, donated, f32

n = Dim()  # cells

class Bar:
    temperature: donated[f32[n]]  # [K]  # codegen: was[u]
