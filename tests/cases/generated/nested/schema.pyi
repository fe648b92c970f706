from codegen.schema import Dim, donated, dynamic, f32

n = Dim()

class Layer:
    w: donated[f32[n]]

class Network:
    first: donated[Layer]
    rest: dynamic[tuple[Layer, ...]] = ()
