from codegen.schema import Dim, donated, f32

a = Dim()
b = Dim()

class Bar:
    u: donated[f32[a]]
    v: donated[f32[a + b, 2 * a]]
