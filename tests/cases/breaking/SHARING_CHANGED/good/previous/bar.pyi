from codegen.schema import Dim, donated, f32, share

n = Dim()  # cells

class Model:
    embed: donated[f32[n]]
    head: donated[f32[n]]

    share(embed, head)
