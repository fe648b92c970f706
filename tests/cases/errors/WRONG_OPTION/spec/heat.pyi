from codegen.schema import donated, f32, field

class Linear:
    w: donated[f32[3]] = field(spec=("rows", None))
