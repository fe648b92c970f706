from codegen.schema import Dim, dynamic, f32

n = Dim()
depth = Dim()

class Bar:
    u: dynamic[f32[n]]

class Rod:
    bars: dynamic[tuple[Bar, depth]]
