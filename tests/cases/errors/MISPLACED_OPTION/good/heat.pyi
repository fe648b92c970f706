from codegen.schema import Dim, dynamic, f32, field, static

nx = Dim()

class Grid:
    n: static[int] = field(convert="heat_model:rounded")
    u: dynamic[f32[nx] | None] = field(init="zeros", spec=("rows",))
