from codegen.schema import Dim, dynamic, f32

nx = Dim()  # codegen: ignore[UNUSED_DIMENSION, NEVER_DONATED]
ny = Dim()  # cells  # codegen: ignore[UNUSED_DIMENSIONS]
nz = Dim()  # codegen: ignore
nw = Dim()  # codegen: ignore[ALIAS_CYCLE]  # noqa: E501
# codegen: ignore[NEVER_DONATED]

class Bar:
    u: dynamic[f32[nw]]  # [K]   # codegen: ignore[SIZE_NOT_STATIC]
    v: dynamic[f32[ny, nz]]
