from codegen.schema import Dim, donated, f32, field

n = Dim()

class Bar:
    u: donated[f32[n]] = field(init="ones")

class Rod:
    bars: donated[tuple[Bar, ...]]
