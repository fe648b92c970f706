from codegen.schema import Dim, donated, f32, field

n = Dim()
m = Dim()

class Linear:
    w: donated[f32[n, m]] = field(init="lecun_normal")
    b: donated[f32[m]] = field(init="zeros")
