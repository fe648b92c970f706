from codegen.schema import Dim, dynamic, f32

n = Dim()  # cells

class Edges:
    flux: dynamic[f32[n + 1]]  # heat flux [W/m^2]
