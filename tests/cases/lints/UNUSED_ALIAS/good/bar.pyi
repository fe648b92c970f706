from codegen.schema import Dim, dynamic, f32

n = Dim()  # cells
Cells = f32[n]
Faces = f32[n + 1]

class Bar:
    u: dynamic[Cells]  # temperature [K]
    flux: dynamic[Faces]  # heat flux [W/m^2]
