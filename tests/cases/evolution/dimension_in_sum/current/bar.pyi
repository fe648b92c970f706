from codegen.schema import Dim, donated, f32

b = Dim()
z = Dim()  # codegen: was[a]

class Bar:
    u: donated[f32[z]]
    v: donated[f32[b + z, 2 * z]]
