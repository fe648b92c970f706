from codegen.schema import donated, f32

class Bar:
    u: donated[f32[3]]
    v: donated[f32]

class Rod:
    bar: donated[Bar]
