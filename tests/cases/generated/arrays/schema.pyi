from codegen.schema import Dim, donated, dynamic, f32

nx = Dim()
ny = Dim()

class Plate:
    u: donated[f32[nx, ny]]
    edge: dynamic[f32[nx + 1]]
