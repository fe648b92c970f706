from codegen.schema import donated, f32, field

class Plate:
    u: donated[f32[3, 3]] = field(spec=("x", "x"))
    v: donated[f32[3, 3]] = field(spec=(("x", "y"), "x"))
    w: donated[f32[3, 3]] = field(spec=("x", None, ("y", "x")))
