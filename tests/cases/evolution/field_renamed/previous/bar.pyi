from codegen.schema import donated, f32, static

class Bar:
    u: donated[f32[3]]
    dx: static[float]
