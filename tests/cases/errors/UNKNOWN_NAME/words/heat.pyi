from codegen.schema import Dimm, statc, float32, jit

nx = Dimm()

class Grid:
    nx: statc[int]
    dx: float32[nx]
