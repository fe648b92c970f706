from codegen.schema import donated, f32, reserved

class Bar:
    u: donated[f32[3]]
    reserved("n", "old")
