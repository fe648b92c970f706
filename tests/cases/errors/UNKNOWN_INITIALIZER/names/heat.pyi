from codegen.schema import donated, f32, field

class Linear:
    w: donated[f32[3, 3]] = field(init="lecun_norml")
    v: donated[f32[3, 3]] = field(init=nromal(0.02))
    b: donated[f32[3]] = field(init=3)
    c: donated[f32[3]] = field(init="something")
