from codegen.schema import donated, f32

class Bar:
    u: donated[f32[3]]
