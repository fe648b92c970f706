from codegen.schema import donated, f32, field

class Linear:
    w: donated[f32[3, 3]] = field(init=normal(std=0.02))
