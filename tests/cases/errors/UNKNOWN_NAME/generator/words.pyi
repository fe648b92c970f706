from codegen import Dim, donated, dynamic, f32 as single

n = Dim()

class Plate:
    t: dynamic[single]
    u: donated[single[n]]
