from codegen.schema import Dim, dynamic, f32, static

# codegen: ignore[NEVER_DONATED] there is one
n = Dim()  # codegen: ignore[UNUSED_DIMENSION, NEVER_DONATED] cells
m = Dim()  # codegen: ignore[UNUSED_DIMENSION]: cells  # noqa: E501
k = Dim()  # codegen: ignore[UNUSED_DIMENSION] :
l = Dim()  # codegen: ignore[UNUSED_DIMENSION] : # layers

class Bar:
    a: static[int]  # codegen: ignore[SWEPT_STATIC] it takes few values
    b: static[int]  # codegen: ignore[SWEPT_STATIC
    c: static[int]  # codegen: ignore SWEPT_STATIC
    d: static[int]  # codegen: ignored by all
    e: static[int]  # codegen: ignore  # edges
    u: dynamic[f32[n, m, k, l]]
