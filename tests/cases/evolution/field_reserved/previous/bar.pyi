from codegen.schema import donated, f32, static

class Bar:
    u: donated[f32[3]]
    n: static[int]
    old: donated[tuple[f32, ...]]
