from codegen.schema import Dim, dynamic, f32, static

n = Dim()

class Table:
    small: static[f32[256, 256]]
    open: static[f32[n, n]]
    large: dynamic[f32[512, 512]]
