from codegen.schema import Dim, donated, dynamic, f32

nx = Dim()

class Plate:
    a: donated[f23[nx]]
    b: donated[float32[nx]]
    c: donated[float33]
    d: dynamic[uint8]
    e: donated[Floatt[...]]
    f: dynamic[bf61]
    n: dynamic[Float32[nx]]
    g: dynamic[Int32]
    h: dynamic[UInt8[nx]]
    i: dynamic[BFloat16[nx]]
    j: dynamic[Complex64[nx]]
    k: dynamic[Float8e4m3b11fnuz[nx]]
    l: dynamic[Key[nx]]
    m: dynamic[Int4[nx]]
