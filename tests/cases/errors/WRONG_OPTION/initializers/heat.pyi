from codegen.schema import donated, f32, field

class Linear:
    w: donated[f32[3, 3]] = field(spec=(3, None))
    b: donated[f32[3]] = field(init="constant")
    c: donated[f32[3]] = field(init=zeros(0.0))
    d: donated[f32[3]] = field(init=normal(1, 2, 3))
    e: donated[f32[3]] = field(init=variance_scaling(1.0))
