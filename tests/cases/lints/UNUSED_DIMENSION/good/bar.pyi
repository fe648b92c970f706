from codegen.schema import Dim, dynamic, f32

nx = Dim()  # cells along x
ny = Dim()  # cells along y

class Plate:
    u: dynamic[f32[nx, ny]]  # temperature [K]
