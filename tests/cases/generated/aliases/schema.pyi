from codegen.schema import Dim, dynamic, f32, static

nx = Dim()
Field = f32[nx]
Sizes = tuple[int, ...]
Scale = float | int

class Plate:
    u: dynamic[Field]
    sizes: static[Sizes]
    scale: static[Scale] = 1
