from codegen.schema import Dim, dynamic, f32

nx = Dim()  # cells along x

class Plate:
    u: dynamic[f32[nx, nx]]  # temperature [K]
