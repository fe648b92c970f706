from codegen.schema import Dim, dynamic, f32

nx = Dim()  # codegen: ignore[UNUSED_DIMENSION, UNUSED_ALIAS]
ny = Dim()  # cells  # codegen: ignore[UNUSED_DIMENSIONS]
nz = Dim()  # codegen: ignore
nw = Dim()  # codegen: ignore[ALIAS_CYCLE]  # noqa: E501
# codegen: ignore[UNUSED_ALIAS]

class Bar:
    u: dynamic[f32[nw]]  # [K]   # codegen: ignore[UNDOCUMENTED_FIELD]
    v: dynamic[f32[ny, nz]]
