from codegen.schema import Dim, Float, bf16, donated, dynamic, f32, u8

nx = Dim()

class Plate:
    a: donated[f32[nx]]
    d: dynamic[u8]
    e: donated[Float[...]]
    f: dynamic[bf16]
