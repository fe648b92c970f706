from codegen.schema import Dim, donated, dynamic, f32

n = Dim()

class Linear(dims=(m,)):
    w: dynamic[f32[m]]

class Plate:
    a: donated[f32(n)]
    b: dynamic[Linear(n)]
    c: dynamic[Linear()]
    d: dynamic[Plate(n)]
    e: dynamic[f32[n] | f32()]
    f: dynamic[tuple(f32, f32)]
