from codegen.schema import Dim, dynamic, f32, ref

n = Dim()

class Bar:
    total: ref[f32[n]]

class Sized:
    a: dynamic[f32]
