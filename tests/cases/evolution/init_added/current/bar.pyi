from codegen.schema import Dim, donated, f32, field

n = Dim()

class Bar:
    u: donated[f32[n]] = field(init="ones")
    w: donated[f32[n, 2]] = field(init="lecun_normal")

class Rod:
    bars: donated[tuple[Bar, ...]]
