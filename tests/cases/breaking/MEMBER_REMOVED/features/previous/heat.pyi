from codegen.schema import Dim, dynamic, f32

nx = Dim(mesh="rows")

class Inlet:
    profile: dynamic[f32[nx]]

class Plate(draft=True):
    u: dynamic[f32[nx]]
    inlet: dynamic[Inlet]
