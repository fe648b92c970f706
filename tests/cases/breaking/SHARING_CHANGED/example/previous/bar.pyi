from codegen.schema import Dim, donated, f32

n = Dim()  # cells

class Model:
    embed: donated[f32[n]]
    head: donated[f32[n]]
