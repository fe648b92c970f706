from codegen.schema import Dim, dynamic, f32

n = Dim()
k = Dim()

class Lin(dims=(n, k)):
    w: dynamic[f32[n, k]]

class Bar:
    layer: dynamic[Lin[2, 2]]
