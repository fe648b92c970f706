from codegen.schema import Dim, dynamic, f32, static

n = Dim()
m = 2 * n

class Grid:
    u: dynamic[f32[m]]
    v: static[int + 1]
