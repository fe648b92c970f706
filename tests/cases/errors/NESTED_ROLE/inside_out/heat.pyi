from codegen.schema import Dim, donated, f32, static

n = Dim()

class Plate:
    x: f32[donated]
    y: f32[n, donated]
    u: donated[f32][n]
    v: static[tuple][int, ...]
    w: tuple[static, f32]
    z: static[f32][n][n]
