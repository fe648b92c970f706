from codegen.schema import Dim, dynamic, f32, field, static

n = Dim()

class Model:
    rate: static[float] = field(default=0.1, tag="decay")
    w: dynamic[f32[n]] = field(tag="decay")
