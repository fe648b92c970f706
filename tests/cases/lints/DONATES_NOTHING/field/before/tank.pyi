from codegen.schema import Dim, dynamic, f32

n = Dim()

class Tank:
    level: dynamic[f32[n]]
    speed: dynamic[f32[n]]
