from codegen.schema import Dim, donated, f32

nx = Dim()
hidden = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]

class Plate:
    u: donated[f32[nx, *rest]]
    first: donated[Linear[nx, hidden]]
