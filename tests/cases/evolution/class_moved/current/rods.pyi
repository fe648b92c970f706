from codegen.schema import donated, f32

class Slab:  # codegen: was[bar:Bar]
    v: donated[f32]
    u: donated[f32[3]]
