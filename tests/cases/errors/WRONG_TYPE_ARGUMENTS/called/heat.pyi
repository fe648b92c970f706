from codegen.schema import Dim, dynamic, f32, static

n = Dim()
Field = f32(n)

class Plate:
    a: dynamic(f32[n])
    b: dynamic(f32(n, 3))
    c: static()
    d: f32(n)
    e: donated(f32[n])
