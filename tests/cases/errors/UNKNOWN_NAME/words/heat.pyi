from codegen.schema import Dimm, statc, float32, jit, Float64

nx = Dimm()

class Grid:
    nx: statc[int]
    dx: float32[nx]
