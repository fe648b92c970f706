from codegen.schema import donated, f32, static

class Bar:
    u: donated[f32[3]]
    n: static[int] = 4
    v: donated[f32] = 2.5
