from codegen.schema import Dim, dynamic, f32, static

n = Dim()

class Plain: ...

class Marker(use="dynamic"): ...

class Layer(Marker):
    w: dynamic[f32[n]]

class Config(Plain):
    k: static[int]

class Holder:
    marker: dynamic[Marker]
    plain: static[Plain] = Plain()
