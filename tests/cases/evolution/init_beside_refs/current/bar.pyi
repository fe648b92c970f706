from codegen.schema import Dim, donated, dynamic, f32, field, ref, static

n = Dim()
m = Dim()

class Bar:
    total: ref[f32[n]]
    w: donated[f32[n]] = field(init="normal")
    count: ref[f32[n]] = field(init="normal")

class Sized:
    a: dynamic[f32]
    m: static[int] = 6
    b: dynamic[f32[m]] = field(init="ones")
