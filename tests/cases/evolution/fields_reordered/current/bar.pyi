from codegen.schema import donated, dynamic, f32, static

class Bar:
    m: static[int]
    n: static[int]
    v: dynamic[f32[3]]
    u: donated[f32[3]]
