from codegen.schema import Dim, donated, f32

nx = Dim()

class Linear(dims=(n, m)):
    w: donated[f32[n, m]]

class Plate:
    a: donated[f32[nx // 2, 2 * nx - 1]]
    c: donated[f32[*a, _, 3]]
    d: donated[f32[..., nx]]
    h: donated[Linear[_, nx + 1]]
    i: donated[Linear[_, _]]
