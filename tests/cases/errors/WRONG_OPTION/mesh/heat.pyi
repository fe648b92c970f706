from codegen.schema import Dim, donated, f32

nx = Dim(mesh=("a", "b", "a"))

class Plate:
    n: donated[f32[nx]]
