from codegen.schema import Dim, dynamic, f32, static

# there is one
n = Dim()  # cells
m = Dim()  # cells  # noqa: E501
k = Dim()
l = Dim()  # layers

class Bar:
    a: static[int]  # it takes few values
    b: static[int]  # codegen: ignore[SWEPT_STATIC
    c: static[int]  # codegen: ignore SWEPT_STATIC
    d: static[int]  # codegen: ignored by all
    e: static[int]  # edges
    u: dynamic[f32[n, m, k, l]]
