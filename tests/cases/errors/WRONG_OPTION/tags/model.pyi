from codegen.schema import Dim, dynamic, f32, field

n = Dim()

class Model:
    a: dynamic[f32[n]] = field(tag="")
    b: dynamic[f32[n]] = field(tag=decay)
    c: dynamic[f32[n]] = field(tag=("decay", 1))
    d: dynamic[f32[n]] = field(tag=("decay", "decay"))
    e: dynamic[f32[n]] = field(tag=())
    f: dynamic[f32[n]] = field(tag=None)
    g: dynamic[f32[n]] = field(tag=["decay"])
