from codegen.schema import Dim, donated, f32, field

n = Dim()

class Linear:
    w: donated[f32[n]] = field(init="ones", tag=("decay", "kernel"))

class Net:
    first: donated[Linear] = field(tag="frozen")
    scale: donated[f32] = field(init="ones", tag="frozen")
