from codegen.schema import Dim, Float, dynamic, f32, static

n = Dim()
m = Dim()

class Grid:
    x: dynamic[f32["n m"]]
    y: dynamic[Float["*b n 2*m"]]
    z: dynamic[f32["n"]]
    w: dynamic[list[f32["n, m"]]]
    v: dynamic[f32["n:m"]]
    u: static["two words"]
