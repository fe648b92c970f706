from codegen.schema import Dim, dynamic, f32

nx = Dim()  # codegen: ignore[UNUSED_DIMENSION]
ny = Dim()  # cells
nz = Dim()
nw = Dim()  # noqa: E501

class Bar:
    u: dynamic[f32[nw]]  # [K]
    v: dynamic[f32[ny, nz]]
