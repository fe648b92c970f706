from codegen.schema import Dim, dynamic, f32

n = Dim()  # cells  # codegen: ignore[UNUSED_DIMENSION]

class Bar:
    u: dynamic[f32[n]]  # temperature [K]
