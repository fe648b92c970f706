from codegen.schema import Dim, donated, f32

nx = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_inn, n_out]]

class Plate:
    u: donated[f32[nxx, batch]]
    v: donated[f32[nxx + 1, *rest]]
    first: donated[Linear[nx, hidden]]
