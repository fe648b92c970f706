from codegen.schema import dynamic, f32

class Plate:
    n = Dim()
    u: dynamic[f32[n]]
