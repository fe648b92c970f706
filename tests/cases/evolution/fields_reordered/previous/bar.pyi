from codegen.schema import donated, dynamic, f32, static

class Bar:
    u: donated[f32[3]]
    v: dynamic[f32[3]]
    n: static[int]
    m: static[int]
