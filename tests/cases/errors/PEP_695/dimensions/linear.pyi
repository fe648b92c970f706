from codegen.schema import Dim, dynamic, f32

n_in = Dim()  # inputs
n_out = Dim()  # outputs

class Linear[n_in, n_out]:
    w: dynamic[f32[n_in, n_out]]

class Mixed[n_in, T]:
    w: dynamic[f32[n_in]]
    content: dynamic[T]
