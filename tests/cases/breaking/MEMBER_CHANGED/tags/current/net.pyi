from codegen.schema import Dim, donated, f32, field

n = Dim()

class Linear:
    w: donated[f32[n]] = field(init="ones", tag="kernel")

class Net:
    first: donated[Linear]
    scale: donated[f32] = field(init="ones", tag="frozen")
