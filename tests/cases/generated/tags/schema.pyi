from codegen.schema import Dim, donated, f32, field

n = Dim()

class Linear:
    w: donated[f32[n]] = field(tag="decay")

class Net:
    first: donated[Linear] = field(tag=("frozen", "first"))
