from codegen.schema import Dim, donated, dynamic, f32, field

nx = Dim(mesh="rows")

class Plate:
    u: donated[f32[nx]]
    table: dynamic[f32[3, 4]] = field(spec=(None, "cols"))
