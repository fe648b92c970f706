from codegen.schema import Dim, dynamic, f32

nx = Dim()

class Inlet:
    profile: dynamic[f32[nx]]

class Plate:
    u: dynamic[f32[nx]]
    inlet: dynamic[Inlet]
