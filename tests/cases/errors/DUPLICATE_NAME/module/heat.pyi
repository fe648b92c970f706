from codegen.schema import Dim, f32, static

from .materials import Material

nx = Dim()
nx = Dim()
f32 = Dim()
Material = f32[nx]

class Grid:
    n: static[int]

class Grid:
    m: static[int]
