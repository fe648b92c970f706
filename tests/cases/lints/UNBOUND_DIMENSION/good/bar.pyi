from codegen.schema import Dim, dynamic, f32, static

n = Dim()  # cells

class Edges:
    n: static[int]
    flux: dynamic[f32[n + 1]]  # heat flux [W/m^2]
