from codegen.schema import Dim, dynamic, f32

nx = Dim()

class Grid:
    u: dynamic[f32[:, nx]]
