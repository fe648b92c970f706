from codegen.schema import Dimm, statc, float32, jit, Float64, normal, bool

nx = Dimm()

class Grid:
    nx: statc[int]
    dx: float32[nx]
