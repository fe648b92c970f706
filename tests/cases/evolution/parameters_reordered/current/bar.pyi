from codegen.schema import Dim, dynamic, f32

n = Dim()
k = Dim()

class Lin(dims=(k, n)):
    w: dynamic[f32[n, k]]

class Bar:
    layer: dynamic[Lin[2, 2]]
