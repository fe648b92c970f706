from codegen.schema import Dim, donated, dynamic, f32

nx = Dim()

class Plate:
    a: donated[f23[nx]]
    b: donated[float32[nx]]
    c: donated[float33]
    d: dynamic[uint8]
    e: donated[Floatt[...]]
    f: dynamic[bf61]
