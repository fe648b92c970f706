from codegen.schema import Dim, donated, dynamic, f32

n_in = Dim()
n_out = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]

class Square:
    linear: dynamic[Linear[n_in, n_in]]
